"""kafka-python through the rows of the client matrix."""

import kafka
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType, NewPartitions, NewTopic
from kafka.errors import TopicAlreadyExistsError
from kafka.structs import OffsetAndMetadata

from rows import (
    PARTITIONS,
    ROUND,
    Member,
    Rows,
    ScriptRecord,
    check,
    check_equal,
    main,
    wait_until,
)


class GroupMember(Member):
    def poll(self):
        records = self.consumer.poll(timeout_ms=50)
        for batch in records.values():
            self.values.extend(record.value for record in batch)
        if records:
            self.consumer.commit()

    def close(self):
        self.consumer.close(autocommit=False)


class KafkaPythonRows(Rows):
    def __init__(self, bootstrap, prefix, script):
        super().__init__(bootstrap, prefix, script)
        self.admin = KafkaAdminClient(bootstrap_servers=bootstrap)

    def consumer(self, **settings):
        return KafkaConsumer(
            bootstrap_servers=self.bootstrap,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            **settings,
        )

    def create_topic(self, suffix, partitions, config=None):
        topic = self.name(suffix)
        self.admin.create_topics([NewTopic(topic, partitions, 1, topic_configs=config or {})])
        return topic

    def send(self, topic, records, codec):
        producer = KafkaProducer(
            bootstrap_servers=self.bootstrap,
            compression_type=None if codec == "none" else codec,
            linger_ms=2000,
        )
        sent = [
            producer.send(
                topic,
                value=record.value,
                key=record.key,
                partition=0,
                timestamp_ms=record.timestamp_ms,
                headers=record.headers,
            )
            for record in records
        ]
        producer.flush(30)
        check_equal([future.get(30).offset for future in sent], list(range(len(records))))
        producer.close()

    def read(self, topic, offset, count):
        partition = TopicPartition(topic, 0)
        consumer = self.consumer()
        consumer.assign([partition])
        consumer.seek(partition, offset)
        read = []

        def poll():
            for record in consumer.poll(timeout_ms=200).get(partition, []):
                read.append(
                    ScriptRecord(record.timestamp, record.key, record.value, record.headers)
                )
            return len(read) >= count

        wait_until("%d records" % count, poll)
        consumer.close()
        return read

    def metadata(self):
        topic = self.create_topic("metadata", 3)
        cluster = self.admin.describe_cluster()
        brokers = cluster["brokers"]
        check_equal(["%s:%d" % (b["host"], b["port"]) for b in brokers], [self.bootstrap])
        check_equal(cluster["controller_id"], brokers[0]["node_id"])
        check_equal(self.consumer().partitions_for_topic(topic), {0, 1, 2})

    def offset_for_time(self, topic, time_ms):
        partition = TopicPartition(topic, 0)
        found = self.consumer().offsets_for_times({partition: time_ms})[partition]
        return None if found is None else found.offset

    def member(self, topic):
        consumer = self.consumer(
            group_id=self.name("group"), heartbeat_interval_ms=200, session_timeout_ms=10000
        )
        return GroupMember(consumer, topic)

    def send_round(self, topic, number):
        producer = KafkaProducer(bootstrap_servers=self.bootstrap)
        for i in range(number * ROUND, (number + 1) * ROUND):
            producer.send(topic, value=str(i).encode(), partition=i % PARTITIONS)
        producer.flush(30)
        producer.close()

    def committed(self, topic):
        consumer = self.consumer(group_id=self.name("group"))
        return [consumer.committed(TopicPartition(topic, i)) for i in range(PARTITIONS)]

    def group_admin(self):
        group = self.name("group")
        check(group in [name for name, _ in self.admin.list_consumer_groups()], "it is listed", group)
        check_equal(self.admin.describe_consumer_groups([group])[0].state, "Empty")
        offsets = self.admin.list_consumer_group_offsets(group)
        at = TopicPartition(self.name("group"), 1)
        check_equal(offsets[at], OffsetAndMetadata(3 * ROUND // PARTITIONS, ""))
        check_equal([error.errno for _, error in self.admin.delete_consumer_groups([group])], [0])

    def topics(self):
        topic = self.create_topic("topics", 2)
        check(topic in self.admin.list_topics(), "it is listed", topic)
        try:
            self.create_topic("topics", 2)
            raise AssertionError("a topic was created twice")
        except TopicAlreadyExistsError:
            pass
        self.admin.delete_topics([topic])
        check(topic not in self.admin.list_topics(), "it is gone", topic)

    def partitions(self):
        topic = self.create_topic("partitions", 2)
        self.admin.create_partitions({topic: NewPartitions(5)})
        check_equal(self.consumer().partitions_for_topic(topic), {0, 1, 2, 3, 4})

    def configs(self):
        topic = self.create_topic("configs", 1, {"retention.ms": "7200000"})
        check_equal(self.config(topic, "retention.ms"), "7200000")
        resource = ConfigResource(
            ConfigResourceType.TOPIC, topic, configs={"retention.ms": "3600000"}
        )
        self.admin.alter_configs([resource])
        check_equal(self.config(topic, "retention.ms"), "3600000")
        check_equal(self.config(topic, "cleanup.policy"), "delete")

    def config(self, topic, name):
        asked = [ConfigResource(ConfigResourceType.TOPIC, topic)]
        described = self.admin.describe_configs(asked)[0].resources[0]
        return {entry[0]: entry[1] for entry in described[4]}[name]


main(KafkaPythonRows, "python kafka-python " + kafka.__version__)
