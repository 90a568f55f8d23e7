import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const request = { category: 'Problem', subject: 'It is broken', message: 'Nothing <b>works</b>' }
const send = (who: Person, more: object = {}) =>
  who.call('POST', '/platform/feedback/send', { ...request, ...more })
const attach = (who: Person, content: Buffer, name = 'a.png') =>
  who.call('POST', '/platform/feedback/attachments', { name, base64: content.toString('base64') })

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  await organizationOf(bob, 'Bobs', 'tier_free')
})
afterAll(() => plane.end())

test.each([
  ['an unknown category', { category: 'Gossip' }],
  ['no message', { message: ' ' }],
  ['a message too long', { message: 'x'.repeat(20_001) }],
  ['a subject with a line break, which would be a header of the mail', { subject: 'a\nBcc: x' }],
  ['a file that is none', { attachment_ids: ['00000000-0000-4000-8000-000000000001'] }],
])('%s is refused', async (_, wrong) => {
  expect(await send(ada, wrong)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
})

test('what is not one’s own cannot be named', async () => {
  expect((await send(ada, { organization_slug: 'bobs' })).status).toBe(404)
  expect((await send(ada, { project_ref: 'a'.repeat(20) })).status).toBe(404)
  const { body } = await attach(bob, png)
  expect((await send(ada, { attachment_ids: [body['id']] })).status).toBe(400)
  const bare = await plane.app.inject({
    method: 'POST',
    url: '/platform/feedback/send',
    payload: request,
  })
  expect(bare.statusCode).toBe(401)
})

test.each([
  ['a program', Buffer.from('4d5a90000300000004000000ffff0000', 'hex'), 400],
  ['a page', Buffer.from('7f454c4602010100', 'hex'), 400],
  ['an empty file', Buffer.alloc(0), 400],
  ['more than 2 MB', Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]), 413],
  ['more than the server reads at all', Buffer.alloc(4 * 1024 * 1024, 'a'), 413],
])('%s cannot be attached', async (_, content, status) => {
  expect((await attach(ada, content)).status).toBe(status)
})

test('a request is kept and mailed, with its files, and answers go to who asked', async () => {
  const image = await attach(ada, png)
  expect(image).toMatchObject({ status: 201, body: { content_type: 'image/png', size: 16 } })
  const note = await attach(ada, Buffer.from('what I did\n1. käse'), 'notes.txt')
  expect(note.body).toMatchObject({ content_type: 'text/plain' })
  const attachment_ids = [image.body['id'], note.body['id']]
  const sent = await send(ada, { attachment_ids, path: '/org/x', error_report_id: 'r-1' })
  expect(sent.status).toBe(201)
  const mails = () => plane.db.selectFrom('platform.mails').selectAll().execute()
  await expect
    .poll(mails)
    .toMatchObject([
      { recipient: 'support@example.com', subject: `[#${String(sent.body['id'])}] It is broken` },
    ])
  const [mail] = await mails()
  expect(mail?.body_text).toContain('From: ada@example.com')
  expect(mail?.body_text).toContain('Error report: r-1')
  expect(mail?.body_text).toContain('Files: a.png, notes.txt')
  expect(mail?.body_html).not.toContain('<b>')
  const files = await plane.db.selectFrom('platform.support_attachments').selectAll().execute()
  expect(files.filter((file) => file.ticket_id === String(sent.body['id']))).toHaveLength(2)
  // A file belongs to one request.
  expect((await send(ada, { attachment_ids })).status).toBe(400)
})

test('nobody floods whoever helps', async () => {
  const answers = []
  for (let n = 0; n < 25; n++) answers.push((await send(bob, { message: '' })).status)
  expect(answers.at(-1)).toBe(429)
})
