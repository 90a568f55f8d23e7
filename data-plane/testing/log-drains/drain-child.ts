import { setTimeout as delay } from 'node:timers/promises'
import type { LogDrainOrder } from '#contract/observability/log-drain-shapes'
import { createLog } from '#kit/log'
import { createLogDrains } from '../../log-drains/log-drains.ts'
import { createLogFiles } from '../../logs/files/log-files.ts'

/** A process of its own that writes entries and drains them, which a test ends in the middle. */
export type DrainJob = {
  home: string
  ref: string
  order: LogDrainOrder
  /** Before the number, in an id. */
  prefix: string
  atOnce: number
  segmentBytes: number
}

// The test gives it.
const job = JSON.parse(process.argv[2] ?? '{}') as DrainJob
const log = createLog('drains', 'fatal')
const store = createLogFiles({
  folder: `${job.home}/logs`,
  log,
  engine: { program: `${job.home}/no-engine.js` },
  limits: { segmentBytes: job.segmentBytes },
})
const drains = createLogDrains({
  source: {
    logDrains: () => Promise.resolve([job.order]),
    reportLogDrains: () => Promise.resolve(),
    auditEntries: () => Promise.resolve([]),
    onAnyChange: () => () => {},
  },
  spool: store.spool,
  folder: `${job.home}/audits`,
  maxWaitingBytes: 1e9,
  count: () => {},
  reachesLoopback: true,
  log,
  timing: { gatherMs: 5, lookMs: 200, backOff: { firstMs: 5, mostMs: 20 } },
})
drains.start()

let made = 0
for (;;) {
  const from = made
  made += job.atOnce
  const timestamp = Date.now() * 1000
  store.append(
    job.ref,
    Array.from({ length: job.atOnce }, (_, at) => ({
      id: `${job.prefix}${from + at}`,
      timestamp,
      source: 'postgres_logs' as const,
      level: 'info' as const,
      message: `message ${from + at}`,
      columns: {},
    })),
  )
  await store.flush()
  process.stdout.write(`${made}\n`)
  await delay(5)
}
