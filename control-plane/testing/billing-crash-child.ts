import type { PoolConfig } from 'pg'
import { createJobs } from '#kit/jobs'
import { silentLog } from '#kit/log'
import { createSubjects } from '#kit/subjects'
import { createAudit } from '../organizations/audit/audit.ts'
import { auditStore } from '../organizations/audit/store.ts'
import { openDatabase } from '../platform-database/database.ts'
import { acceptJob, jobOutbox } from '../operations/jobs/store.ts'
import { manualBackend } from '../billing/billing/backends/manual.ts'
import { createBilling } from '../billing/billing/billing.ts'

/**
 * The program that the fault tests kill: looks once at the clock that it was given, takes up what was not finished, and
 * ends when no job is left.
 */
const given: { database: PoolConfig; now: string } = JSON.parse(process.argv[2] ?? '')
const { db, pool } = openDatabase(given.database, silentLog)
const billing = createBilling({
  db,
  record: createAudit(auditStore),
  acceptJob,
  startJob: (job) => jobs.start(job),
  planChanged: () => Promise.resolve(),
  exceedsQuota: () => Promise.resolve(false),
  tellStanding: () => Promise.resolve([]),
  backend: manualBackend(),
  usage: { charges: () => Promise.resolve([]), settle: () => Promise.resolve() },
  permissionsOf: () => Promise.resolve([]),
  notifyProjects: () => Promise.resolve(),
  refsOf: () => Promise.resolve([]),
  setReadOnly: () => Promise.resolve(),
  each: createSubjects(silentLog).each,
  url: 'http://localhost:8000',
  sender: 'Plinth',
  now: () => new Date(given.now),
  log: silentLog,
})
const outbox = jobOutbox(db)
const jobs = await createJobs({ pool, handlers: billing.workflows, outbox, log: silentLog })
await jobs.recover()
await billing.round()
const deadline = Date.now() + 60_000
while ((await outbox.unfinished()).length > 0 && Date.now() < deadline) {
  await new Promise((wake) => setTimeout(wake, 50))
}
await jobs.close()
await pool.end()
