// kafkajs reads a partition from every offset, with both isolations.

import kafkajs from 'kafkajs'
import { main } from './isolation.mjs'
import { waitUntil } from './rows.mjs'

async function open ({ bootstrap, topic, groupId, isCommitted, fetchBytes, end }) {
  const kafka = new kafkajs.Kafka({ clientId: groupId, brokers: [bootstrap], logLevel: kafkajs.logLevel.ERROR })
  const consumer = kafka.consumer({
    groupId,
    readUncommitted: !isCommitted,
    maxBytesPerPartition: fetchBytes,
    maxWaitTimeInMs: 10
  })
  let read = []
  let position = 0
  let fetchesAtEnd = 0
  consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => { position = Number(payload.lastOffset) + 1 })
  consumer.on(consumer.events.FETCH_START, () => { fetchesAtEnd += position >= end ? 1 : 0 })
  await consumer.connect()
  await consumer.subscribe({ topic, fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ message }) => { read.push(`${message.offset} ${message.value}`) }
  })
  // The second fetch at the end begins when all that the first one brought was handed out.
  const untilEnd = async () => {
    await waitUntil(`the position is ${end}`, () => fetchesAtEnd > 1)
    return read
  }
  const from = offset => {
    read = []
    position = offset
    fetchesAtEnd = 0
    consumer.seek({ topic, partition: 0, offset: String(offset) })
    return untilEnd()
  }
  return { fromBeginning: untilEnd, from, close: () => consumer.disconnect() }
}

await main(open)
