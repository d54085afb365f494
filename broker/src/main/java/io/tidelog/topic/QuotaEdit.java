package io.tidelog.topic;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.metadata.ClientQuotaRecord;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.image.ClientQuotaImage;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.config.QuotaConfig;

/**
 * A change of the quotas of one entity: a user, a client id, both together, or an IP address; a
 * null name stands for all that have no quotas of their own.
 *
 * @param entity whose quotas
 * @param values by quota; null takes one away
 */
public record QuotaEdit(ClientQuotaEntity entity, Map<String, Double> values) {
  private static final double INTEGRAL = 1e-6;
  private static final Set<String> TYPES =
      Set.of(ClientQuotaEntity.USER, ClientQuotaEntity.CLIENT_ID, ClientQuotaEntity.IP);

  public QuotaEdit {
    values = Collections.unmodifiableMap(new HashMap<>(values));
  }

  /**
   * Checks what needs no look at the quotas that there are. May ask the system for a host's
   * address, which takes time.
   *
   * @throws InvalidRequestException if there is no such entity or quota, or a value is out of
   *     bounds
   */
  public void check() {
    Map<String, ConfigKey> quotas = quotasOfEntity();
    values.forEach(
        (name, value) -> {
          if (value != null) {
            checkValue(quotas.get(name), name, value);
          }
        });
  }

  private Map<String, ConfigKey> quotasOfEntity() {
    if (entity.entries().isEmpty()) {
      throw new InvalidRequestException("Invalid empty client quota entity");
    }
    entity.entries().forEach(QuotaEdit::checkPart);
    if (!entity.entries().containsKey(ClientQuotaEntity.IP)) {
      return QuotaConfig.userAndClientQuotaConfigs().configKeys();
    }
    if (entity.entries().size() > 1) {
      throw new InvalidRequestException(
          "Invalid quota entity combination, IP entity should not be combined with User or ClientId");
    }
    checkAddress(entity.entries().get(ClientQuotaEntity.IP));
    return QuotaConfig.ipConfigs().configKeys();
  }

  private static void checkPart(String type, String name) {
    if (!TYPES.contains(type)) {
      throw new InvalidRequestException("Unhandled client quota entity type: " + type);
    }
    if (name != null && name.isEmpty()) {
      throw new InvalidRequestException("Empty " + type + " not supported");
    }
  }

  private static void checkAddress(String ip) {
    try {
      if (ip != null) {
        Objects.requireNonNull(InetAddress.getByName(ip));
      }
    } catch (UnknownHostException e) {
      throw new InvalidRequestException(ip + " is not a valid IP or resolvable host.", e);
    }
  }

  private static void checkValue(ConfigKey quota, String name, double value) {
    if (quota == null) {
      throw new InvalidRequestException("Invalid configuration key " + name);
    }
    if (!Double.isFinite(value)) {
      throw new InvalidRequestException("Quota " + name + " must be a finite number");
    }
    if (value <= 0) {
      throw new InvalidRequestException("Quota " + name + " must be greater than 0");
    }
    if (quota.type == ConfigDef.Type.DOUBLE) {
      return;
    }
    double most = quota.type == ConfigDef.Type.INT ? Integer.MAX_VALUE : Long.MAX_VALUE;
    if (value > most) {
      throw new InvalidRequestException(
          "Proposed value for " + name + " is too large for a " + quota.type + ".");
    }
    if (Math.abs(value % 1) > INTEGRAL) {
      throw new InvalidRequestException(name + " cannot be a fractional value.");
    }
  }

  /** The records that make of these quotas the wanted ones; none where nothing changes. */
  List<ApiMessageAndVersion> records(ClientQuotaImage current) {
    return values.entrySet().stream()
        .filter(value -> !Objects.equals(current.quotas().get(value.getKey()), value.getValue()))
        .map(value -> record(value.getKey(), value.getValue()))
        .toList();
  }

  private ApiMessageAndVersion record(String name, Double value) {
    ClientQuotaRecord record =
        new ClientQuotaRecord().setEntity(ClientQuotaImage.entityToData(entity)).setKey(name);
    return new ApiMessageAndVersion(
        value == null ? record.setRemove(true) : record.setValue(value), (short) 0);
  }
}
