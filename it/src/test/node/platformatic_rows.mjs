// @platformatic/kafka through the rows of the client matrix.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  Admin, ConfigResourceTypes, Consumer, FetchIsolationLevels, MessagesStreamModes, Producer, stringDeserializers,
  stringSerializers
} from '@platformatic/kafka'
import { check, checkEqual, main, PARTITIONS, ROUND, Rows, waitUntil } from './rows.mjs'

const module = fileURLToPath(import.meta.resolve('@platformatic/kafka'))
const { version } = JSON.parse(readFileSync(module.replace(/dist.*/, 'package.json'), 'utf8'))

class PlatformaticRows extends Rows {
  constructor (bootstrap, prefix, script) {
    super(bootstrap, prefix, script)
    this.base = { clientId: prefix, bootstrapBrokers: [bootstrap] }
    this.admin = new Admin(this.base)
    this.producer = new Producer({ ...this.base, serializers: stringSerializers })
    this.readers = 0
  }

  async close () {
    await this.producer.close()
    await this.admin.close()
  }

  consumer (groupId) {
    return new Consumer({
      ...this.base, groupId, deserializers: stringDeserializers, maxWaitTime: 100, heartbeatInterval: 200, isolationLevel: FetchIsolationLevels.READ_COMMITTED
    })
  }

  async createTopic (suffix, partitions, configs = []) {
    const topic = this.name(suffix)
    await this.admin.createTopics({ topics: [topic], partitions, replicas: 1, configs })
    return topic
  }

  async send (topic, records, compression) {
    const messages = records.map(record => ({
      topic,
      partition: 0,
      timestamp: BigInt(record.timestamp),
      key: record.key ?? undefined,
      value: record.value ?? undefined,
      headers: new Map(record.headers)
    }))
    const { offsets } = await this.producer.send({ messages, compression })
    checkEqual(offsets, [{ topic, partition: 0, offset: 0n }])
  }

  async read (topic, offset, count) {
    const consumer = this.consumer(this.name(`reader-${this.readers++}`))
    const stream = await consumer.consume({
      topics: [topic],
      autocommit: false,
      mode: MessagesStreamModes.MANUAL,
      offsets: [{ topic, partition: 0, offset: BigInt(offset) }]
    })
    const read = []
    stream.on('data', message => read.push({
      timestamp: Number(message.timestamp),
      key: message.key ?? null,
      value: message.value ?? null,
      headers: [...message.headers]
    }))
    await waitUntil(`${count} records`, () => read.length >= count)
    await stream.close()
    await consumer.close()
    return read
  }

  async metadata () {
    const topic = await this.createTopic('metadata', 3)
    const metadata = await this.admin.metadata({ topics: [topic] })
    const brokers = [...metadata.brokers]
    checkEqual(brokers.map(([, { host, port }]) => `${host}:${port}`), [this.bootstrap])
    checkEqual(metadata.controllerId, brokers[0][0])
    const { partitions } = metadata.topics.get(topic)
    checkEqual(partitions.map(({ leader, isr }) => [leader, isr]),
      Array(3).fill([metadata.controllerId, [metadata.controllerId]]))
  }

  async offsetForTime (topic, timestamp) {
    const topics = [{ name: topic, partitions: [{ partitionIndex: 0, timestamp: BigInt(timestamp) }] }]
    const [{ partitions: [{ offset }] }] = await this.admin.listOffsets({ topics })
    return offset === -1n ? null : Number(offset)
  }

  async member (topic) {
    const consumer = this.consumer(this.name('group'))
    const stream = await consumer.consume({
      topics: [topic],
      autocommit: false,
      mode: MessagesStreamModes.COMMITTED,
      fallbackMode: 'earliest'
    })
    const values = []
    stream.on('data', async message => {
      values.push(message.value)
      await message.commit()
    })
    // Records of a fetch that was on its way while the group rebalanced are still delivered.
    let fetches = 0
    consumer.on('consumer:group:join', () => { fetches = 0 })
    stream.on('fetch', () => { fetches++ })
    const assigned = () => consumer.assignments?.find(found => found.topic === topic)?.partitions.length ?? 0
    const owned = () => fetches > 2 ? assigned() : 0
    const leave = async () => {
      await stream.close()
      await consumer.close()
    }
    return { values, owned, leave }
  }

  async sendRound (topic, number) {
    const messages = this.roundOf(number)
      .map(i => ({ topic, value: String(i), partition: i % PARTITIONS }))
    await this.producer.send({ messages })
  }

  async committed (topic, group = 'group') {
    const groups = await this.admin.listConsumerGroupOffsets({ groups: [this.name(group)] })
    const offsets = Array(PARTITIONS)
    groups[0].topics.find(found => found.name === topic).partitions
      .forEach(({ partitionIndex, committedOffset }) => { offsets[partitionIndex] = Number(committedOffset) })
    return offsets
  }

  async transactionalProducer (topic) {
    const transactionalId = this.name('transactions')
    const producer = new Producer({
      ...this.base, transactionalId, idempotent: true, serializers: stringSerializers
    })
    const inTransaction = async (round, end, offset) => {
      const transaction = await producer.beginTransaction()
      await transaction.send({ messages: this.roundOf(round).map(i => ({ topic, value: String(i) })) })
      if (offset !== undefined) {
        await this.addOffset(transaction, topic, offset)
      }
      await transaction[end]()
    }
    return { inTransaction, close: () => producer.close() }
  }

  // Offsets of a transaction are those of messages that a member of the group has read.
  async addOffset (transaction, topic, offset) {
    const consumer = this.consumer(this.name('transactions'))
    await transaction.addConsumer(consumer)
    const stream = await consumer.consume({ topics: [topic], autocommit: false, mode: 'earliest' })
    for await (const message of stream) {
      if (Number(message.offset) === offset - 1) {
        await transaction.addOffset(message)
        break
      }
    }
    await consumer.close(true)
  }

  async groupAdmin () {
    const group = this.name('group')
    check((await this.admin.listGroups()).has(group), 'it is listed', group)
    checkEqual((await this.admin.describeGroups({ groups: [group] })).get(group).state, 'Empty')
    await this.admin.deleteGroups({ groups: [group] })
    check(!(await this.admin.listGroups()).has(group), 'it is gone', group)
  }

  async topics () {
    const topic = await this.createTopic('topics', 2)
    check((await this.admin.listTopics()).includes(topic), 'it is listed', topic)
    try {
      await this.createTopic('topics', 2)
    } catch (e) {
      checkEqual(e.errors[0].errors[0].apiId, 'TOPIC_ALREADY_EXISTS')
      await this.admin.deleteTopics({ topics: [topic] })
      check(!(await this.admin.listTopics()).includes(topic), 'it is gone', topic)
      return
    }
    throw new Error('a topic was created twice')
  }

  async partitions () {
    const name = await this.createTopic('partitions', 2)
    await this.admin.createPartitions({ topics: [{ name, count: 5, assignments: null }] })
    const { topics } = await this.admin.metadata({ topics: [name], forceUpdate: true })
    checkEqual(topics.get(name).partitionsCount, 5)
  }

  async configs () {
    const topic = await this.createTopic('configs', 1, [{ name: 'retention.ms', value: '7200000' }])
    checkEqual(await this.config(topic, 'retention.ms'), '7200000')
    await this.admin.incrementalAlterConfigs({
      resources: [{
        resourceType: ConfigResourceTypes.TOPIC,
        resourceName: topic,
        configs: [{ name: 'retention.ms', configOperation: 0, value: '3600000' }]
      }]
    })
    checkEqual(await this.config(topic, 'retention.ms'), '3600000')
    checkEqual(await this.config(topic, 'cleanup.policy'), 'delete')
  }

  async config (resourceName, name) {
    const resourceType = ConfigResourceTypes.TOPIC
    const resources = [{ resourceType, resourceName, configurationKeys: [name] }]
    return (await this.admin.describeConfigs({ resources }))[0].configs[0].value
  }

  async deleteRecords () {
    const topic = await this.createTopic('delete-records', 1)
    await this.producer.send({ messages: this.roundOf(0).map(i => ({ topic, value: String(i) })) })
    const topics = [{ name: topic, partitions: [{ partition: 0, offset: 4n }] }]
    const [{ partitions }] = await this.admin.deleteRecords({ topics })
    checkEqual(partitions, [{ partition: 0, lowWatermark: 4n }])
    checkEqual(await this.offsetForTime(topic, -2), 4)
    checkEqual(await this.offsetForTime(topic, -1), ROUND)
  }
}

await main(PlatformaticRows, `node @platformatic/kafka ${version}`)
