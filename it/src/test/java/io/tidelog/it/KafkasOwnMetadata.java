package io.tidelog.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Metadata that only Kafka heeds: rules of access, quotas, credentials, some configs. */
final class KafkasOwnMetadata {
  private KafkasOwnMetadata() {}

  static void set(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      set(admin, ConfigResource.Type.BROKER, "1", "log.cleaner.threads", "2");
      admin.createAcls(List.of(rule())).all().get();
      admin
          .alterClientQuotas(
              List.of(
                  new ClientQuotaAlteration(
                      anna(), List.of(new ClientQuotaAlteration.Op("producer_byte_rate", 1e6)))))
          .all()
          .get();
      admin
          .alterUserScramCredentials(
              List.of(
                  new UserScramCredentialUpsertion(
                      "anna",
                      new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096),
                      "secret")))
          .all()
          .get();
    }
  }

  static void assertThere(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
      assertThat(
              admin
                  .describeConfigs(List.of(broker))
                  .all()
                  .get()
                  .get(broker)
                  .get("log.cleaner.threads")
                  .value())
          .isEqualTo("2");
      assertThat(admin.describeAcls(AclBindingFilter.ANY).values().get()).containsExactly(rule());
      assertThat(admin.describeClientQuotas(ClientQuotaFilter.all()).entities().get())
          .containsEntry(anna(), Map.of("producer_byte_rate", 1e6));
      assertThat(admin.describeUserScramCredentials().users().get()).containsExactly("anna");
    }
  }

  private static AclBinding rule() {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, "codecs", PatternType.LITERAL),
        new AccessControlEntry("User:anna", "*", AclOperation.READ, AclPermissionType.ALLOW));
  }

  private static ClientQuotaEntity anna() {
    return new ClientQuotaEntity(Map.of(ClientQuotaEntity.USER, "anna"));
  }

  /** Sets one config. */
  static void set(Admin admin, ConfigResource.Type type, String resource, String name, String value)
      throws Exception {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(type, resource),
                List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }
}
