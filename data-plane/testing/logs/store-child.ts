import { setTimeout as delay } from 'node:timers/promises'
import { createLog } from '#kit/log'
import { createLogFiles } from '../../logs/files/log-files.ts'
import { afternoon, event } from './events.ts'

/** What a process of its own does with a store, which a test ends in the middle. */
export type ChildJob = {
  folder: string
  program: string
  ref: string
  /** Adds entries without end, and says the number of each that is written; or packs once. */
  job: 'write' | 'pack'
  /** Before the number, in an id. */
  prefix?: string
  /** Entries of one write, and of all of them. */
  atOnce?: number
  all?: number
  /** Milliseconds between two of them. */
  everyMs?: number
  segmentBytes?: number
}

// The test gives it.
const options = JSON.parse(process.argv[2] ?? '{}') as ChildJob
const { folder, program, ref, job, prefix = '', atOnce = 20, all = Infinity } = options
const store = createLogFiles({
  folder,
  log: createLog('store', 'fatal'),
  engine: { program },
  now: afternoon,
  limits: { segmentBytes: options.segmentBytes ?? 8 * 1024 ** 2 },
})

if (job === 'pack') await store.tidyAll()
else {
  let made = 0
  while (made < all) {
    const from = made
    made += atOnce
    store.append(
      ref,
      Array.from({ length: atOnce }, (_, at) => event(`${prefix}${from + at}`, (from + at) / 1e4)),
    )
    await store.flush()
    process.stdout.write(`${made}\n`)
    if (options.everyMs) await delay(options.everyMs)
  }
}
await store.close()
