"""confluent-kafka (librdkafka) through the rows of the client matrix."""

import confluent_kafka
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic

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
        message = self.consumer.poll(0.05)
        if message is not None:
            check(message.error() is None, "a record", message.error())
            self.values.append(message.value())
            self.consumer.commit(message, asynchronous=False)

    def close(self):
        self.consumer.close()


class ConfluentRows(Rows):
    def __init__(self, bootstrap, prefix, script):
        super().__init__(bootstrap, prefix, script)
        self.admin = AdminClient({"bootstrap.servers": bootstrap})

    def producer(self, **settings):
        settings = {name.replace("_", "."): value for name, value in settings.items()}
        return Producer({"bootstrap.servers": self.bootstrap, **settings})

    def consumer(self, **settings):
        settings = {name.replace("_", "."): value for name, value in settings.items()}
        return Consumer(
            {
                "bootstrap.servers": self.bootstrap,
                "group.id": self.name("reader"),
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
                **settings,
            }
        )

    def create_topic(self, suffix, partitions, config=None):
        topic = self.name(suffix)
        new = NewTopic(topic, partitions, 1, config=config or {})
        self.admin.create_topics([new])[topic].result()
        return topic

    def send(self, topic, records, codec):
        producer = self.producer(compression_codec=codec, linger_ms=300)
        errors = []
        for record in records:
            producer.produce(
                topic,
                value=record.value,
                key=record.key,
                partition=0,
                timestamp=record.timestamp_ms,
                headers=record.headers,
                on_delivery=lambda error, message: error and errors.append(error),
            )
        # Not by flush, which would send the first record alone, and so uncompressed.
        wait_until("all are sent", lambda: producer.poll(0.05) is not None and len(producer) == 0)
        check_equal(errors, [])

    def read(self, topic, offset, count):
        consumer = self.consumer()
        consumer.assign([TopicPartition(topic, 0, offset)])
        read = []

        def poll():
            message = consumer.poll(0.2)
            if message is not None:
                check(message.error() is None, "a record", message.error())
                read.append(
                    ScriptRecord(
                        message.timestamp()[1],
                        message.key(),
                        message.value(),
                        [(name, text or b"") for name, text in message.headers() or []],
                    )
                )
            return len(read) == count

        wait_until("%d records" % count, poll)
        consumer.close()
        return read

    def metadata(self):
        topic = self.create_topic("metadata", 3)
        metadata = self.admin.list_topics(topic, timeout=30)
        brokers = list(metadata.brokers.values())
        check_equal(["%s:%d" % (b.host, b.port) for b in brokers], [self.bootstrap])
        check_equal(metadata.controller_id, brokers[0].id)
        check_equal(sorted(metadata.topics[topic].partitions), [0, 1, 2])
        check_equal(metadata.topics[topic].partitions[2].leader, brokers[0].id)

    def offset_for_time(self, topic, time_ms):
        consumer = self.consumer()
        found = consumer.offsets_for_times([TopicPartition(topic, 0, time_ms)], timeout=30)
        consumer.close()
        # librdkafka answers the end where there is no later record.
        return None if found[0].offset == confluent_kafka.OFFSET_END else found[0].offset

    def member(self, topic):
        consumer = self.consumer(group_id=self.name("group"), heartbeat_interval_ms=200)
        return GroupMember(consumer, topic)

    def send_round(self, topic, number):
        producer = self.producer()
        for i in range(number * ROUND, (number + 1) * ROUND):
            producer.produce(topic, value=str(i), partition=i % PARTITIONS)
        check_equal(producer.flush(30), 0)

    def committed(self, topic, group="group"):
        consumer = self.consumer(group_id=self.name(group))
        asked = [TopicPartition(topic, partition) for partition in range(PARTITIONS)]
        offsets = [found.offset for found in consumer.committed(asked, timeout=30)]
        consumer.close()
        return offsets

    def transactions(self):
        """One commit, one abort, and one commit with a group's offset."""
        topic = self.create_topic("transactions", PARTITIONS)
        producer = self.producer(transactional_id=self.name("transactions"))
        producer.init_transactions(30)

        def send(number):
            producer.begin_transaction()
            for i in range(number * ROUND, (number + 1) * ROUND):
                producer.produce(topic, value=str(i), partition=0)

        send(0)
        producer.commit_transaction(30)
        send(1)
        check_equal(producer.flush(30), 0)
        producer.abort_transaction(30)
        send(2)
        member = self.consumer(group_id=self.name("transactions"))
        metadata = member.consumer_group_metadata()
        producer.send_offsets_to_transaction([TopicPartition(topic, 0, 7)], metadata, 30)
        producer.commit_transaction(30)
        member.close()
        read = [int(record.value) for record in self.read(topic, 0, 2 * ROUND)]
        check_equal(read, [*range(ROUND), *range(2 * ROUND, 3 * ROUND)])
        check_equal(self.committed(topic, "transactions")[0], 7)

    def group_admin(self):
        groups = {group.id: group for group in self.admin.list_groups(timeout=30)}
        check_equal(groups[self.name("group")].state, "Empty")

    def topics(self):
        topic = self.create_topic("topics", 2)
        check(topic in self.admin.list_topics(timeout=30).topics, "it is listed", topic)
        try:
            self.create_topic("topics", 2)
            raise AssertionError("a topic was created twice")
        except KafkaException as e:
            check_equal(e.args[0].name(), "TOPIC_ALREADY_EXISTS")
        self.admin.delete_topics([topic])[topic].result()
        check(topic not in self.admin.list_topics(timeout=30).topics, "it is gone", topic)

    def partitions(self):
        topic = self.create_topic("partitions", 2)
        self.admin.create_partitions([NewPartitions(topic, 5)])[topic].result()
        metadata = self.admin.list_topics(topic, timeout=30)
        check_equal(len(metadata.topics[topic].partitions), 5)

    def configs(self):
        topic = self.create_topic("configs", 1, {"retention.ms": "7200000"})
        check_equal(self.config(topic, "retention.ms"), "7200000")
        resource = ConfigResource("topic", topic, set_config={"retention.ms": "3600000"})
        for altered in self.admin.alter_configs([resource]).values():
            altered.result()
        check_equal(self.config(topic, "retention.ms"), "3600000")
        check_equal(self.config(topic, "cleanup.policy"), "delete")

    def config(self, topic, name):
        described = self.admin.describe_configs([ConfigResource("topic", topic)])
        return [future.result() for future in described.values()][0][name].value


main(
    ConfluentRows,
    "python confluent-kafka %s, librdkafka %s"
    % (confluent_kafka.version()[0], confluent_kafka.libversion()[0]),
)
