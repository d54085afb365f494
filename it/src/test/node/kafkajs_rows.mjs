// kafkajs through the rows of the client matrix.

import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import kafkajs from 'kafkajs'
import lz4 from 'lz4-napi'
import snappy from 'snappyjs'
import { check, checkEqual, main, PARTITIONS, ROUND, Rows, text, waitUntil } from './rows.mjs'

// A consumer that leaves waits for its fetch.
const WAIT = { maxWaitTimeInMs: 100 }

const { CompressionCodecs, CompressionTypes, ConfigResourceTypes, Kafka, logLevel } = kafkajs
const version = createRequire(import.meta.url)('kafkajs/package.json').version

// kafkajs brings gzip; the others are plugged in, as its documentation says.
CompressionCodecs[CompressionTypes.Snappy] = () => ({
  compress: async encoder => Buffer.from(snappy.compress(encoder.buffer)),
  decompress: async buffer => Buffer.from(snappy.uncompress(buffer))
})
CompressionCodecs[CompressionTypes.LZ4] = () => ({
  compress: async encoder => lz4.compressFrame(encoder.buffer),
  decompress: async buffer => lz4.decompressFrame(buffer)
})
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: async encoder => promisify(zlib.zstdCompress)(encoder.buffer),
  decompress: async buffer => promisify(zlib.zstdDecompress)(buffer)
})

const CODECS = {
  none: CompressionTypes.None,
  gzip: CompressionTypes.GZIP,
  snappy: CompressionTypes.Snappy,
  lz4: CompressionTypes.LZ4,
  zstd: CompressionTypes.ZSTD
}

class KafkajsRows extends Rows {
  constructor (bootstrap, prefix, script) {
    super(bootstrap, prefix, script)
    this.kafka = new Kafka({ clientId: prefix, brokers: [bootstrap], logLevel: logLevel.ERROR })
    this.admin = this.kafka.admin()
    this.producer = this.kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner })
    this.readers = 0
  }

  async close () {
    await this.producer.disconnect()
    await this.admin.disconnect()
  }

  async createTopic (suffix, numPartitions, configEntries = []) {
    await this.admin.connect()
    await this.producer.connect()
    const topic = this.name(suffix)
    const topics = [{ topic, numPartitions, replicationFactor: 1, configEntries }]
    check(await this.admin.createTopics({ topics }), 'the topic is new', topic)
    return topic
  }

  async send (topic, records, codec) {
    const messages = records.map(record => ({
      partition: 0,
      timestamp: String(record.timestamp),
      key: record.key,
      value: record.value,
      headers: Object.fromEntries(record.headers)
    }))
    const [answer] = await this.producer.send({ topic, messages, compression: CODECS[codec] })
    checkEqual([answer.errorCode, answer.baseOffset], [0, '0'])
  }

  async read (topic, offset, count) {
    const consumer = this.kafka.consumer({ groupId: this.name(`reader-${this.readers++}`), ...WAIT })
    const read = []
    await consumer.connect()
    await consumer.subscribe({ topic, fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => {
        read.push({
          timestamp: Number(message.timestamp),
          key: text(message.key),
          value: text(message.value),
          headers: Object.entries(message.headers).map(([name, value]) => [name, text(value)])
        })
      }
    })
    consumer.seek({ topic, partition: 0, offset: String(offset) })
    await waitUntil(`${count} records`, () => read.length >= count)
    await consumer.disconnect()
    return read
  }

  async metadata () {
    const topic = await this.createTopic('metadata', 3)
    const cluster = await this.admin.describeCluster()
    checkEqual(cluster.brokers.map(broker => `${broker.host}:${broker.port}`), [this.bootstrap])
    checkEqual(cluster.controller, cluster.brokers[0].nodeId)
    const { topics } = await this.admin.fetchTopicMetadata({ topics: [topic] })
    const partitions = topics[0].partitions.map(found => [found.partitionId, found.leader])
    const leader = cluster.controller
    checkEqual(partitions.sort(), [[0, leader], [1, leader], [2, leader]])
  }

  async offsetForTime (topic, timestamp) {
    const [found] = await this.admin.fetchTopicOffsetsByTimestamp(topic, timestamp)
    const [{ high }] = await this.admin.fetchTopicOffsets(topic)
    // kafkajs answers the end where there is no later record.
    return found.offset === high ? null : Number(found.offset)
  }

  async member (topic) {
    const consumer = this.kafka.consumer({
      groupId: this.name('group'),
      heartbeatInterval: 200,
      ...WAIT
    })
    const values = []
    let owned = 0
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      owned = (payload.memberAssignment[topic] ?? []).length
    })
    consumer.on(consumer.events.REBALANCING, () => { owned = 0 })
    await consumer.connect()
    await consumer.subscribe({ topic, fromBeginning: true })
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ partition, message }) => {
        values.push(text(message.value))
        const offset = String(Number(message.offset) + 1)
        await consumer.commitOffsets([{ topic, partition, offset }])
      }
    })
    return { values, owned: () => owned, leave: () => consumer.disconnect() }
  }

  async sendRound (topic, number) {
    const messages = this.roundOf(number).map(i => ({ value: String(i), partition: i % PARTITIONS }))
    await this.producer.send({ topic, messages })
  }

  async committed (topic, group = 'group') {
    const [found] = await this.admin.fetchOffsets({ groupId: this.name(group), topics: [topic] })
    const offsets = Array(PARTITIONS)
    found.partitions.forEach(({ partition, offset }) => { offsets[partition] = Number(offset) })
    return offsets
  }

  async transactionalProducer (topic) {
    const producer = this.kafka.producer({
      transactionalId: this.name('transactions'),
      idempotent: true,
      maxInFlightRequests: 1,
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner
    })
    await producer.connect()
    const inTransaction = async (round, end, offset) => {
      const transaction = await producer.transaction()
      await transaction.send({ topic, messages: this.roundOf(round).map(i => ({ value: String(i) })) })
      if (offset !== undefined) {
        await transaction.sendOffsets({
          consumerGroupId: this.name('transactions'),
          topics: [{ topic, partitions: [{ partition: 0, offset: String(offset) }] }]
        })
      }
      await transaction[end]()
    }
    return { inTransaction, close: () => producer.disconnect() }
  }

  async groupAdmin () {
    const groupId = this.name('group')
    const { groups } = await this.admin.listGroups()
    check(groups.some(group => group.groupId === groupId), 'it is listed', groups)
    checkEqual((await this.admin.describeGroups([groupId])).groups[0].state, 'Empty')
    await this.admin.resetOffsets({ groupId, topic: this.name('group'), earliest: true })
    // kafkajs writes the earliest offset as -2, which the next consumer resolves.
    checkEqual(await this.committed(this.name('group')), Array(PARTITIONS).fill(-2))
    await this.admin.deleteGroups([groupId])
    checkEqual(await this.committed(this.name('group')), Array(PARTITIONS).fill(-1))
  }

  async topics () {
    const topic = await this.createTopic('topics', 2)
    check((await this.admin.listTopics()).includes(topic), 'it is listed', topic)
    const again = await this.admin.createTopics({ topics: [{ topic, numPartitions: 2 }] })
    checkEqual(again, false)
    await this.admin.deleteTopics({ topics: [topic] })
    check(!(await this.admin.listTopics()).includes(topic), 'it is gone', topic)
  }

  async partitions () {
    const topic = await this.createTopic('partitions', 2)
    await this.admin.createPartitions({ topicPartitions: [{ topic, count: 5 }] })
    const { topics } = await this.admin.fetchTopicMetadata({ topics: [topic] })
    checkEqual(topics[0].partitions.length, 5)
  }

  async configs () {
    const entry = value => [{ name: 'retention.ms', value }]
    const topic = await this.createTopic('configs', 1, entry('7200000'))
    checkEqual(await this.config(topic, 'retention.ms'), '7200000')
    await this.admin.alterConfigs({
      validateOnly: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries: entry('3600000') }]
    })
    checkEqual(await this.config(topic, 'retention.ms'), '3600000')
    checkEqual(await this.config(topic, 'cleanup.policy'), 'delete')
  }

  async config (topic, name) {
    const resources = [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: [name] }]
    const described = await this.admin.describeConfigs({ includeSynonyms: false, resources })
    return described.resources[0].configEntries[0].configValue
  }

  async deleteRecords () {
    const topic = await this.createTopic('delete-records', 1)
    await this.producer.send({ topic, messages: this.roundOf(0).map(i => ({ value: String(i) })) })
    // kafkajs deletes records only of a topic whose leaders it has asked for before.
    await this.admin.fetchTopicOffsets(topic)
    await this.admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '4' }] })
    const [{ low, high }] = await this.admin.fetchTopicOffsets(topic)
    checkEqual([low, high], ['4', String(ROUND)])
  }
}

await main(KafkajsRows, `node kafkajs ${version}`)
