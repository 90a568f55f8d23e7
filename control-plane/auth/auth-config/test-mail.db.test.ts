import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBothPlanes, startMailServer, type BothPlanes } from '../../testing/auth-config.ts'

let planes: BothPlanes
let server: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  planes = await startBothPlanes()
  server = await startMailServer()
})
afterAll(async () => {
  await server?.close()
  await planes?.end()
})

const send = (mail: object = {}) =>
  planes.ada.call('POST', `/platform/auth/${planes.ref}/config/test-mail`, mail)
const smtp = () => ({
  SMTP_HOST: '127.0.0.1',
  SMTP_PORT: server.port,
  SMTP_USER: 'shop',
  SMTP_PASS: 'let me send',
  SMTP_ADMIN_EMAIL: 'shop@example.com',
  SMTP_SENDER_NAME: 'Shop',
})

test('a mail of no kind and one that is too long are refused', async () => {
  expect(await send({ kind: 'greeting' })).toMatchObject({ status: 400 })
  expect(await send({ kind: 'invite', html: 'x'.repeat(50_001) })).toMatchObject({ status: 400 })
})

test('what is written is sent to who asks, with values in the place of the variables', async () => {
  const mail = { kind: 'recovery', subject: 'For {{ .Email }}', html: '<p>Code {{ .Token }}</p>' }
  expect(await send(mail)).toMatchObject({
    status: 200,
    body: { way: 'mailbox', refusal: null, recipient: 'ada@example.com' },
  })
  const [kept] = await planes.mailsTo('ada@example.com')
  expect(kept).toMatchObject({ subject: 'For ada@example.com', text: 'Code 123456' })
})

test('the own mail server gets it, and what it answers instead is said word for word', async () => {
  await planes.set(smtp())
  expect(await send()).toMatchObject({ status: 200, body: { way: 'own', refusal: null } })
  expect(server.received).toMatchObject([
    { from: 'shop@example.com', to: ['ada@example.com'], user: 'shop' },
  ])
  await planes.set({ SMTP_PASS: 'let me in' })
  const refused = await send()
  expect(refused).toMatchObject({ status: 200, body: { way: 'own' } })
  expect(refused.body['refusal']).toMatch(/^535 .*who\?/)
  expect(server.received).toHaveLength(1)
})

test('who asks too often waits', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => send({ kind: 'nothing' })))
  expect(answers.map(({ status }) => status)).toContain(429)
})
