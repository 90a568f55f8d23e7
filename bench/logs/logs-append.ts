import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { compare } from '../parts/compare.ts'
import { end, measureHere, requestEvent, withStore } from '../parts/log-world.ts'

/**
 * Processor time of an entry until it is in the file, two hundred at a time as a busy project has them in one write,
 * against JSON of the same values and one append of them. The second figure is microseconds of one.
 */
const [entries, atOnce] = [100_000, 200]
const ref = 'abcdefghijklmnopqrst'
const events = Array.from({ length: entries }, (_, at) => requestEvent(at, end - entries + at))
const values = events.map(({ columns, rest, ...event }) => [
  ...Object.values(event),
  ...Object.values(columns),
  rest,
])

await withStore(async (store, folder) => {
  const file = await open(join(folder, '.baseline'), 'a')
  let micros = Infinity
  await compare('logs-append', {
    ours: async () => {
      const measured = await measureHere(async () => {
        for (let at = 0; at < entries; at += atOnce) {
          store.append(ref, events.slice(at, at + atOnce))
          await store.flush()
        }
      }, 1)
      micros = Math.min(micros, (measured.cpuMs * 1000) / entries)
      await store.drop(ref)
      return measured
    },
    baseline: () =>
      measureHere(async () => {
        for (let at = 0; at < entries; at += atOnce) {
          const lines = values.slice(at, at + atOnce).map((one) => JSON.stringify(one))
          await file.appendFile(`${lines.join('\n')}\n`)
        }
      }, 1),
  })
  await file.close()
  process.stdout.write(`${JSON.stringify({ name: 'logs-append.micros', micros })}\n`)
})
