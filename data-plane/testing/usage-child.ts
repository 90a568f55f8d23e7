import { openSync, writeSync } from 'node:fs'
import { silentLog } from '#kit/log'
import { createMeter } from '../usage/meter.ts'

/**
 * The program that the fault tests kill: it counts one after the other, and writes down how many it has counted, and how many
 * of these were before a write to the journal that is done. Two numbers, 16 bytes.
 */
const given: { folder: string; record: string; url: string; ref: string } = JSON.parse(
  process.argv[2] ?? '',
)
const record = openSync(given.record, 'w')
const numbers = new BigUint64Array(2)
const note = () => void writeSync(record, numbers, 0, 16, 0)

const meter = createMeter({
  folder: given.folder,
  syncMs: 5,
  sendMs: 40,
  deadMs: 400,
  log: silentLog,
  async send(report) {
    const response = await fetch(given.url, { method: 'POST', body: JSON.stringify(report) })
    if (!response.ok) throw new Error(`The answer was ${response.status}`)
    await response.text()
    return { refused: 0 }
  },
})
let made = 0n
let beforeWrite = 0n
meter.beforeSync(() => {
  // A write begins when the one before it is done.
  numbers[1] = beforeWrite
  beforeWrite = made
  note()
})
setInterval(() => {
  for (let i = 0; i < 10; i += 1) {
    made += 1n
    numbers[0] = made
    note()
    meter.add(given.ref, 'requests_rest', 1)
  }
}, 1)
