// What the Node clients of the matrix share: the script, the order of rows, and checks.

import { readFileSync } from 'node:fs'
import { inspect, isDeepStrictEqual } from 'node:util'

export const PARTITIONS = 4
export const ROUND = 40
const LIMIT_MS = 60_000

// The records that clients write and read; see Script.java for the file.
function readScript (path) {
  return readFileSync(path, 'utf8').split('\n').filter(line => line !== '').map(line => {
    const [timestamp, key, value, headers] = line.split('\t')
    return {
      timestamp: Number(timestamp),
      key: field(key),
      value: field(value),
      headers: headers.split(';').filter(header => header !== '').map(header => {
        const equals = header.indexOf('=')
        return [header.slice(0, equals), header.slice(equals + 1)]
      })
    }
  })
}

function field (text) {
  return text === '\\N' ? null : text
}

export function text (buffer) {
  return buffer === null || buffer === undefined ? null : buffer.toString()
}

export function check (isSo, claim, found) {
  if (!isSo) {
    throw new Error(`${claim}, but found: ${inspect(found)}`)
  }
}

export function checkEqual (found, expected) {
  check(isDeepStrictEqual(found, expected), `expected ${inspect(expected)}`, found)
}

export async function waitUntil (claim, isSo) {
  const deadline = Date.now() + LIMIT_MS
  while (!isSo()) {
    check(Date.now() < deadline, claim, 'not so within the time limit')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

// Subclasses have a method for each row; produce rows share one.
export class Rows {
  constructor (bootstrap, prefix, script) {
    this.bootstrap = bootstrap
    this.prefix = prefix
    this.script = script
  }

  name (suffix) {
    return `${this.prefix}-${suffix}`
  }

  async pass (row) {
    if (row.startsWith('produce-')) {
      await this.produce(row.slice('produce-'.length))
    } else {
      await this[row.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())]()
    }
  }

  async produce (codec) {
    const topic = await this.createTopic(codec, 1)
    await this.send(topic, this.script, codec)
    checkEqual(await this.read(topic, 0, this.script.length), this.script)
  }

  async tombstones () {
    const topic = await this.createTopic('tombstones', 1)
    const timestamp = this.script[0].timestamp
    const records = [
      { timestamp, key: 'k', value: 'v', headers: [] },
      { timestamp: timestamp + 1, key: 'k', value: null, headers: [] }
    ]
    await this.send(topic, records, 'none')
    checkEqual(await this.read(topic, 0, 2), records)
  }

  async seekByTime () {
    const topic = await this.createTopic('time', 1)
    await this.send(topic, this.script, 'none')
    const last = this.script.length - 1
    for (const at of [0, 17, last]) {
      checkEqual(await this.offsetForTime(topic, this.script[at].timestamp - 500), at)
    }
    checkEqual(await this.offsetForTime(topic, this.script[last].timestamp + 1), null)
    checkEqual(await this.read(topic, 17, this.script.length - 17), this.script.slice(17))
  }

  // A second member joins and leaves; every record is read once.
  async group () {
    const topic = await this.createTopic('group', PARTITIONS)
    const first = await this.member(topic)
    await waitUntil('the first has all', () => first.owned() === PARTITIONS)
    await this.sendRound(topic, 0)
    await waitUntil('the first reads all', () => first.values.length === ROUND)
    const second = await this.member(topic)
    await waitUntil('each has half', () => first.owned() === 2 && second.owned() === 2)
    await this.sendRound(topic, 1)
    await waitUntil('both read', () => first.values.length + second.values.length === 2 * ROUND)
    checkEqual(second.values.length, ROUND / 2)
    await second.leave()
    await waitUntil('the first has all again', () => first.owned() === PARTITIONS)
    await this.sendRound(topic, 2)
    await waitUntil('the first reads on', () => first.values.length === 2 * ROUND + ROUND / 2)
    await first.leave()
    const read = [...first.values, ...second.values].map(Number).sort((a, b) => a - b)
    checkEqual(read, Array.from({ length: 3 * ROUND }, (_, i) => i))
    checkEqual(await this.committed(topic), Array(PARTITIONS).fill(3 * ROUND / PARTITIONS))
  }

  // One commit, one abort, and one commit with a group's offset.
  async transactions () {
    const topic = await this.createTopic('transactions', 1)
    const producer = await this.transactionalProducer(topic)
    await producer.inTransaction(0, 'commit')
    await producer.inTransaction(1, 'abort')
    await producer.inTransaction(2, 'commit', 7)
    await producer.close()
    const numbers = [...this.roundOf(0), ...this.roundOf(2)]
    const read = await this.read(topic, 0, 2 * ROUND)
    checkEqual(read.map(({ value }) => Number(value)), numbers)
    checkEqual((await this.committed(topic, 'transactions'))[0], 7)
  }

  roundOf (number) {
    return Array.from({ length: ROUND }, (_, i) => number * ROUND + i)
  }
}

export async function main (RowsClass, client) {
  const [bootstrap, prefix, script, ...asked] = process.argv.slice(2)
  console.log(`client ${client}`)
  const rows = new RowsClass(bootstrap, prefix, readScript(script))
  for (const row of asked) {
    await rows.pass(row)
    console.log(`ok ${row}`)
  }
  await rows.close()
}
