import type { PoolConfig } from 'pg'
import type { HealthFindings } from '#contract/operations/health'
import { silentLog } from '#kit/log'
import { createSecrets } from '#kit/secrets'
import { createAlerts } from '../operations/alerts/alerts.ts'
import { alertStore } from '../operations/alerts/store.ts'
import { sendMessage } from '../operations/alerts/webhook.ts'
import { acceptJob } from '../operations/jobs/store.ts'
import { createOutgoingMail } from '../operations/outgoing-mail/outgoing-mail.ts'
import { outgoingMailStore } from '../operations/outgoing-mail/store.ts'
import { openDatabase } from '../platform-database/database.ts'

/** The program that the fault tests kill: compares once, sends once, and ends. */
const given: { database: PoolConfig; findings: HealthFindings; masterKey: string; now: string } =
  JSON.parse(process.argv[2] ?? '')
const { db, pool } = openDatabase(given.database, silentLog)
const secrets = createSecrets(Buffer.from(given.masterKey, 'hex'))
const mail = createOutgoingMail({
  store: outgoingMailStore(db),
  secrets,
  acceptJob,
  send: () => Promise.resolve(),
})
const alerts = createAlerts({
  store: alertStore(db),
  secrets,
  look: () => Promise.resolve(given.findings),
  queueMail: mail.queue,
  startJob: () => Promise.resolve(),
  send: sendMessage,
  url: 'http://localhost:8000',
  now: () => new Date(given.now),
  log: silentLog,
})
await alerts.evaluate()
await alerts.deliver()
await pool.end()
