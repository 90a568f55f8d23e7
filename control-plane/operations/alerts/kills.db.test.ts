import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HealthFindings } from '#contract/operations/health'
import { silentLog } from '#kit/log'
import { bundleProgram, runProgram } from '#kit/testing/program'
import { createSecrets } from '#kit/secrets'
import { createPlatformDatabase } from '#kit/testing/postgres'
import { openDatabase } from '../../platform-database/database.ts'
import { wellFindings } from '../../testing/findings.ts'
import { startReceiver, type Receiver } from '../../testing/webhook-receiver.ts'
import { secretIdentity } from './alerts.ts'
import { newWebhookSecret } from './webhook.ts'

let program: string
const masterKey = randomBytes(32)
let database: Awaited<ReturnType<typeof createPlatformDatabase>>
let opened: ReturnType<typeof openDatabase>
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  database = await createPlatformDatabase()
  opened = openDatabase(database.adminConfig, silentLog)
  await opened.db
    .updateTable('platform.alert_settings')
    .set({
      emails: ['ops@example.com'],
      webhook_url: receiver.url,
      sealed_webhook_secret: createSecrets(masterKey).seal(newWebhookSecret(), secretIdentity),
    })
    .execute()
  program = await bundleProgram('control-plane/testing/alerts-crash-child.ts', 'alerts-crash')
})
afterAll(async () => {
  await opened.pool.end()
  await database.drop()
  await receiver.end()
  await rm(program, { force: true })
})

let minutes = 0
/** Runs the program a few minutes later, to its end or to the failpoint, which ends it as a power cut would. */
function run(findings: HealthFindings, failpoint?: string): Promise<unknown> {
  minutes += 5
  const now = new Date(Date.UTC(2026, 10, 27, 12, minutes)).toISOString()
  const given = { database: database.adminConfig, findings, masterKey: masterKey.toString('hex') }
  return runProgram(program, { ...given, now }, failpoint)
}

const short: HealthFindings = {
  ...wellFindings(),
  disks: [
    {
      place: 'a:1',
      folder: '/plinth',
      free_bytes: 1,
      size_bytes: 1000,
      parts: [],
      parts_at: null,
    },
  ],
}
const told = () =>
  receiver.received.map(({ headers, body }) => ({
    id: String(headers['webhook-id']),
    type: (JSON.parse(body) as { type: string }).type,
  }))
const mails = async () =>
  (await opened.db.selectFrom('platform.outgoing_mails').select('recipient').execute()).length

test('killed between an alert and the news of it: nothing is lost, and nothing is told twice', async () => {
  expect(await run(short, 'alerts:written')).toBe('SIGKILL')
  expect(told()).toEqual([])
  expect(await mails()).toBe(1)
  // The receiver has it, but nobody wrote that down: it comes again under the same id.
  expect(await run(short, 'alerts:sent')).toBe('SIGKILL')
  expect(told()).toMatchObject([{ type: 'alert.opened' }])
  expect(await run(short)).toBe(0)
  expect(told()).toMatchObject([{ type: 'alert.opened' }, { type: 'alert.opened' }])
  expect(new Set(told().map(({ id }) => id)).size).toBe(1)
  expect(await run(short)).toBe(0)
  expect(told()).toHaveLength(2)

  expect(await run(wellFindings(), 'alerts:written')).toBe('SIGKILL')
  expect(await run(wellFindings())).toBe(0)
  expect(told().slice(2)).toMatchObject([{ type: 'alert.closed' }])
  expect(await mails()).toBe(2)
  const alerts = await opened.db.selectFrom('platform.alerts').selectAll().execute()
  expect(alerts).toMatchObject([{ condition: 'disk_short', closed_at: expect.any(Date) }])
})
