import { setTimeout as delay } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import { createJobs } from '#kit/jobs'
import { silentLog } from '#kit/log'
import { createSubjects } from '#kit/subjects'
import { jobOutbox } from '../operations/jobs/store.ts'
import { createLeadership } from '../operations/leases/leadership.ts'
import { leaseStore } from '../operations/leases/lease-store.ts'
import { createRoundBook } from '../operations/rounds/round-book.ts'
import { openDatabase } from '../platform-database/database.ts'

/**
 * A control plane without its features, one of several: it does the jobs and rounds that `fleet.db.test.ts` looks at. Each step writes
 * a row, each round writes when it began and ended.
 */
const given: { database: PoolConfig; executor: string } = JSON.parse(process.argv[2] ?? '')
const { executor } = given
const { db, pool } = openDatabase(given.database, silentLog)
const leadership = createLeadership({
  store: leaseStore(db),
  executor,
  log: silentLog,
  times: { seconds: 2, everySeconds: 0.3 },
})
const jobs = await createJobs({
  pool,
  log: silentLog,
  executor,
  each: createSubjects(silentLog).each,
  outbox: jobOutbox(db),
  handlers: {
    mark: async ({ id }, step) => {
      for (const part of ['one', 'two', 'three', 'four'])
        await step(part, async () => {
          await delay(30)
          await pool.query('insert into marks (job, step, executor) values ($1, $2, $3)', [
            id,
            part,
            executor,
          ])
        })
    },
  },
})
await leadership.begin()
const book = createRoundBook(() => new Date(), leadership.leads)
const rounds = [
  { seconds: 0.2, name: 'jobs to take up', run: () => jobs.recover() },
  { seconds: 0.3, name: 'jobs of gone', run: () => jobs.takeOver(leadership.alive) },
  {
    seconds: 0.05,
    name: 'one at a time',
    async run() {
      const began = await pool.query<{ id: string }>(
        'insert into spans (executor, began) values ($1, clock_timestamp()) returning id',
        [executor],
      )
      await delay(20)
      await pool.query('update spans set ended = clock_timestamp() where id = $1', [
        began.rows[0]?.id,
      ])
    },
  },
]
for (const { seconds, name, run } of rounds.map(book.watch)) jobs.every(seconds, name, run)

process.on('SIGTERM', () => {
  void (async () => {
    await leadership.close()
    await jobs.close()
    await pool.end()
    process.exit(0)
  })()
})
process.stdout.write('ready\n')
