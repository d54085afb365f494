"""What the Python clients of the matrix share: the script, the order of rows, and checks."""

import sys
import threading
import time

LIMIT_SECONDS = 60
PARTITIONS = 4
ROUND = 40


class ScriptRecord:
    """A record that clients write and read; see Script.java for the file."""

    def __init__(self, timestamp_ms, key, value, headers):
        self.fields = (timestamp_ms, key, value, headers)
        self.timestamp_ms, self.key, self.value, self.headers = self.fields

    def __eq__(self, other):
        return self.fields == other.fields

    def __repr__(self):
        return repr(self.fields)


def read_script(path):
    records = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            timestamp, key, value, headers = line.rstrip("\n").split("\t")
            pairs = [header.partition("=") for header in headers.split(";") if header]
            records.append(
                ScriptRecord(
                    int(timestamp),
                    field(key),
                    field(value),
                    [(name, text.encode()) for name, _, text in pairs],
                )
            )
    return records


def field(text):
    return None if text == "\\N" else text.encode()


def check(is_so, claim, found):
    if not is_so:
        raise AssertionError("%s, but found: %r" % (claim, found))


def check_equal(found, expected):
    check(found == expected, "expected %r" % (expected,), found)


def wait_until(claim, is_so):
    deadline = time.monotonic() + LIMIT_SECONDS
    while not is_so():
        check(time.monotonic() < deadline, claim, "not so within the time limit")
        time.sleep(0.005)


class Member(threading.Thread):
    """A member of a group; subclasses say how a client polls and leaves."""

    def __init__(self, consumer, topic):
        super().__init__(daemon=True)
        self.consumer = consumer
        consumer.subscribe([topic])
        self.values = []
        self.partitions = 0
        self.leaving = False
        self.failure = None

    def run(self):
        try:
            while not self.leaving:
                self.poll()
                self.partitions = len(self.consumer.assignment())
            self.close()
        except BaseException as e:
            self.failure = e

    def owned(self):
        check(self.failure is None, "the member is well", self.failure)
        return self.partitions

    def leave(self):
        self.leaving = True
        self.join(LIMIT_SECONDS)
        check(self.failure is None and not self.is_alive(), "the member left", self.failure)


class Rows:
    """Subclasses have a method for each row; produce rows share one."""

    def __init__(self, bootstrap, prefix, script):
        self.bootstrap = bootstrap
        self.prefix = prefix
        self.script = script

    def name(self, suffix):
        return self.prefix + "-" + suffix

    def go_through(self, rows):
        for row in rows:
            if row.startswith("produce-"):
                self.produce(row[len("produce-"):])
            else:
                getattr(self, row.replace("-", "_"))()
            print("ok " + row, flush=True)

    def produce(self, codec):
        topic = self.create_topic(codec, 1)
        self.send(topic, self.script, codec)
        check_equal(self.read(topic, 0, len(self.script)), self.script)

    def tombstones(self):
        topic = self.create_topic("tombstones", 1)
        now = self.script[0].timestamp_ms
        records = [ScriptRecord(now, b"k", b"v", []), ScriptRecord(now + 1, b"k", None, [])]
        self.send(topic, records, "none")
        check_equal(self.read(topic, 0, 2), records)

    def seek_by_time(self):
        topic = self.create_topic("time", 1)
        self.send(topic, self.script, "none")
        last = len(self.script) - 1
        for at in (0, 17, last):
            check_equal(self.offset_for_time(topic, self.script[at].timestamp_ms - 500), at)
        after = self.script[last].timestamp_ms + 1
        check_equal(self.offset_for_time(topic, after), None)
        check_equal(self.read(topic, 17, len(self.script) - 17), self.script[17:])

    def group(self):
        """A second member joins and leaves; every record is read once."""
        topic = self.create_topic("group", PARTITIONS)
        first = self.member(topic)
        first.start()
        wait_until("the first has all", lambda: first.owned() == PARTITIONS)
        self.send_round(topic, 0)
        wait_until("the first reads all", lambda: len(first.values) == ROUND)
        second = self.member(topic)
        second.start()
        wait_until("each has half", lambda: first.owned() == 2 and second.owned() == 2)
        self.send_round(topic, 1)
        wait_until("both read", lambda: len(first.values) + len(second.values) == 2 * ROUND)
        check_equal(len(second.values), ROUND // 2)
        second.leave()
        wait_until("the first has all again", lambda: first.owned() == PARTITIONS)
        self.send_round(topic, 2)
        wait_until("the first reads on", lambda: len(first.values) == 2 * ROUND + ROUND // 2)
        first.leave()
        check_equal(sorted(map(int, first.values + second.values)), list(range(3 * ROUND)))
        check_equal(self.committed(topic), [3 * ROUND // PARTITIONS] * PARTITIONS)


def main(rows_class, client):
    bootstrap, prefix, script = sys.argv[1:4]
    print("client " + client, flush=True)
    rows_class(bootstrap, prefix, read_script(script)).go_through(sys.argv[4:])
