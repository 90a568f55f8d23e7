import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlatformDatabase, type TestDatabase } from '#kit/testing/postgres'
import { silentLog } from '#kit/log'
import { openDatabase } from '../../platform-database/database.ts'
import { mailboxRoutes } from './routes.ts'
import { mailStore } from './store.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>

beforeAll(async () => {
  database = await createPlatformDatabase()
  opened = openDatabase(database.adminConfig, silentLog)
})
afterAll(async () => {
  await opened.db.destroy()
  await database.drop()
})

const run = (enabled: boolean, name: string, input: object) => {
  const route = mailboxRoutes(mailStore(opened.db), enabled).find((r) => r.endpoint.name === name)
  if (!route) throw new Error(`No route ${name}`)
  // The routes of this feature use neither caller nor request; the shape is the one kit/http calls them with.
  const http = { request: { ip: '', headers: {}, id: '', raw: { socket: {} } } } as never
  return route.run(route.endpoint.input.parse(input) as never, undefined, http)
}
const mail = (recipient: string, subject = 'Hello') => ({
  tenant: 'platform',
  recipient,
  subject,
  text: 'Good day',
  html: '<p>Good day</p>',
})

test('there is no mailbox unless it is meant to be', async () => {
  await expect(run(false, 'mailbox.list', {})).rejects.toMatchObject({ code: 'not_found' })
  expect(await run(false, 'internal.mail', mail('ada@example.com'))).toEqual({ kept: false })
  expect(await mailStore(opened.db).list(10, undefined)).toEqual([])
})

test('mails are kept, newest first, and found by their recipient', async () => {
  await run(true, 'internal.mail', mail('ada@example.com', 'First'))
  await run(true, 'internal.mail', mail('bob@example.com', 'Second'))
  expect(await run(true, 'mailbox.list', {})).toMatchObject([
    { subject: 'Second', recipient: 'bob@example.com' },
    { subject: 'First', text: 'Good day' },
  ])
  expect(await run(true, 'mailbox.list', { recipient: 'ada@example.com' })).toHaveLength(1)
})

test('only the newest are kept', async () => {
  const store = mailStore(opened.db)
  for (let n = 0; n < 5; n++) await store.insert(mail('ada@example.com', `Mail ${n}`))
  await store.prune(2)
  expect(await store.list(10, undefined)).toMatchObject([
    { subject: 'Mail 4' },
    { subject: 'Mail 3' },
  ])
})
