import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJobs, type Jobs } from '#kit/jobs'
import { silentLog } from '#kit/log'
import { createSecrets } from '#kit/secrets'
import { createPlatformDatabase } from '#kit/testing/postgres'
import { openDatabase } from '../../platform-database/database.ts'
import { acceptJob, jobOutbox } from '../jobs/store.ts'
import { createOutgoingMail, type OutgoingMail } from './outgoing-mail.ts'
import { outgoingMailStore } from './store.ts'

let jobs: Jobs
let database: Awaited<ReturnType<typeof createPlatformDatabase>>
let opened: ReturnType<typeof openDatabase>
let refusals = 0
const sent: OutgoingMail[] = []
const mail = {
  to: 'ada@example.com',
  subject: 'Hello',
  text: 'https://x/join?token=s3cret',
  html: '<p>',
}

beforeAll(async () => {
  database = await createPlatformDatabase()
  opened = openDatabase(database.adminConfig, silentLog)
  const { workflows } = outgoing()
  jobs = await createJobs({
    pool: opened.pool,
    handlers: workflows,
    outbox: jobOutbox(opened.db),
    log: silentLog,
  })
})
afterAll(async () => {
  await jobs.close()
  await opened.pool.end()
  await database.drop()
})

const secrets = createSecrets(randomBytes(32))
const outgoing = () =>
  createOutgoingMail({
    store: outgoingMailStore(opened.db),
    secrets,
    acceptJob,
    send: async (one) => {
      if (refusals-- > 0) throw new Error('421 try again')
      sent.push(one)
    },
  })
const queue = () => opened.db.transaction().execute((tx) => outgoing().queue(tx, mail))
const rows = () => opened.db.selectFrom('platform.outgoing_mails').selectAll().execute()

test('a mail is written down sealed, with the change that causes it', async () => {
  const undone = opened.db.transaction().execute(async (tx) => {
    await outgoing().queue(tx, mail)
    throw new Error('the change failed')
  })
  await expect(undone).rejects.toThrow('the change failed')
  expect(await rows()).toEqual([])
  await queue()
  const [row] = await rows()
  expect(row).toMatchObject({ recipient: mail.to, sent_at: null })
  expect(row?.sealed_content).not.toContain('s3cret')
  expect(sent).toEqual([])
})

test('what nobody started is found again; a refusal is tried again; it arrives once and is forgotten', async () => {
  refusals = 1
  await jobs.recover()
  await jobs.recover()
  await expect.poll(rows).toMatchObject([{ sealed_content: '' }])
  const job = await queue()
  await Promise.all([jobs.start(job), jobs.start(job)])
  // The row is written after the mail was taken, so only the row says that both are done.
  await expect
    .poll(async () => (await rows()).map((row) => row.sent_at !== null))
    .toEqual([true, true])
  expect(sent).toEqual([mail, mail])
})
