// @platformatic/kafka reads a partition from every offset, with both isolations.

import { Consumer, FetchIsolationLevels, MessagesStreamModes, stringDeserializers } from '@platformatic/kafka'
import { main } from './isolation.mjs'
import { waitUntil } from './rows.mjs'

async function open ({ bootstrap, topic, groupId, isCommitted, fetchBytes, end }) {
  const consumer = new Consumer({
    clientId: groupId,
    bootstrapBrokers: [bootstrap],
    groupId,
    deserializers: stringDeserializers,
    isolationLevel: FetchIsolationLevels[isCommitted ? 'READ_COMMITTED' : 'READ_UNCOMMITTED'],
    maxBytesPerPartition: fetchBytes,
    maxWaitTime: 10
  })
  const readUntilEnd = async start => {
    const stream = await consumer.consume({ topics: [topic], autocommit: false, ...start })
    const read = []
    let fetchesAtEnd = 0
    stream.on('data', ({ offset, value }) => { read.push(`${offset} ${value}`) })
    // It is told of an answer before it has looked at it.
    stream.on('fetch', () => { fetchesAtEnd += stream.offsetsToFetch.get(`${topic}:0`) >= end ? 1 : 0 })
    await waitUntil(`the position is ${end}`, () => fetchesAtEnd > 1)
    await stream.close()
    return read
  }
  return {
    fromBeginning: () => readUntilEnd({ mode: MessagesStreamModes.EARLIEST }),
    from: offset => readUntilEnd({
      mode: MessagesStreamModes.MANUAL,
      offsets: [{ topic, partition: 0, offset: BigInt(offset) }]
    }),
    close: () => consumer.close()
  }
}

await main(open)
