// What the readers of both isolations share: from where they read, and how they say it.

// A reader is opened on a partition's beginning; it goes on until the end of what it may see, and once more.
// Says `ISOLATION FETCH_BYTES from OFFSET: RECORDS` for the beginning and for every offset up to the end.
export async function main (open) {
  const [bootstrap, topic, stable, end, ...sizes] = process.argv.slice(2)
  for (const [isolation, last] of [['read_committed', Number(stable)], ['read_uncommitted', Number(end)]]) {
    for (const fetchBytes of sizes.map(Number)) {
      const groupId = `${isolation}-${fetchBytes}`
      const isCommitted = isolation === 'read_committed'
      const reader = await open({ bootstrap, topic, groupId, isCommitted, fetchBytes, end: last })
      const say = (from, records) => console.log(`${isolation} ${fetchBytes} from ${from}: ${records.join(', ')}`)
      say('beginning', await reader.fromBeginning())
      for (let from = 0; from <= last; from++) {
        say(from, await reader.from(from))
      }
      await reader.close()
    }
  }
}
