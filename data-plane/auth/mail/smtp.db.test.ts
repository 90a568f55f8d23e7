import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { silentLog } from '#kit/log'
import { createMailer } from './mailer.ts'
import { newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

type Received = { from: string; to: string[]; content: string }

let server: TestServer
let tenant: TestTenant
let smtp: SMTPServer
const received: Received[] = []
let refuseNext = 0

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_, __, done) => {
      refuseNext -= 1
      done(refuseNext >= 0 ? new Error('try again') : undefined)
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        const content = Buffer.concat(chunks).toString()
        received.push({ from, to: rcptTo.map((r) => r.address), content })
        done()
      })
    },
  })
  await new Promise<void>((done) => void smtp.listen(0, '127.0.0.1', done))
  const address = smtp.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  server = await startAuthServer()
  tenant = await server.tenant('smtp', {}, () =>
    createMailer({
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: 'Plinth <noreply@example.com>',
      deliver: async () => expect.fail('a mail went to the mailbox'),
      log: silentLog,
      retryAfter: [10, 10, 10],
    }),
  )
})
afterAll(async () => {
  await server.close()
  await new Promise<void>((done) => smtp.close(done))
})

const mailTo = (email: string) =>
  vi.waitFor(
    () => {
      const mail = received.find(({ to }) => to.includes(email))
      if (!mail) throw new Error('no mail yet')
      return mail
    },
    { timeout: 60_000 },
  )

const codeIn = (content: string) =>
  /Code: (\d{6})/.exec(content.replace(/=\r\n/g, '').replace(/=3D/g, '='))?.[1] ?? ''

test('a sign-up waits for the mail that SMTP delivers', async () => {
  const email = newEmail()
  const { data } = await tenant.client().auth.signUp({ email, password })
  expect(data.session).toBeNull()
  const { from, to, content } = await mailTo(email)
  expect(from).toBe('noreply@example.com')
  expect(to).toEqual([email])
  expect(content).toContain('Content-Type: text/html')
  const token = codeIn(content)
  const verified = await tenant.client().auth.verifyOtp({ email, token, type: 'signup' })
  expect(verified.data.user?.email).toBe(email)
})

test('a change of address waits for both mails, and for an hour at most', async () => {
  const [email, fresh] = [newEmail(), newEmail()]
  const client = tenant.client()
  await client.auth.signUp({ email, password })
  const first = codeIn((await mailTo(email)).content)
  await client.auth.verifyOtp({ email, token: first, type: 'signup' })
  const asked = async () => {
    received.length = 0
    const { data } = await client.auth.updateUser({ email: fresh })
    expect(data.user).toMatchObject({ email, new_email: fresh })
    const [here, there] = [await mailTo(email), await mailTo(fresh)]
    return [
      { email, token: codeIn(here.content) },
      { email: fresh, token: codeIn(there.content) },
    ] as const
  }
  const agree = (proof: { email: string; token: string }) =>
    tenant.client().auth.verifyOtp({ ...proof, type: 'email_change' })

  const late = await asked()
  server.advance(3601)
  expect((await agree(late[0])).error?.code).toBe('otp_expired')
  await client.auth.refreshSession()
  const [own, other] = await asked()
  expect((await agree(own)).error).toBeNull()
  expect((await client.auth.getUser()).data.user).toMatchObject({ email, new_email: fresh })
  expect((await agree(other)).error).toBeNull()
  const { data } = await client.auth.getUser()
  expect(data.user?.email).toBe(fresh)
  expect(data.user?.new_email).toBeUndefined()
})

test('a mail that is refused is tried again', async () => {
  refuseNext = 2
  const email = newEmail()
  await tenant.client().auth.signInWithOtp({ email })
  expect((await mailTo(email)).to).toEqual([email])
})

test('a mail that cannot be delivered fails no request, and its content is not logged', async () => {
  const lines: object[] = []
  const log = Object.assign(Object.create(silentLog), {
    warn: (line: object) => void lines.push(line),
    error: (line: object) => void lines.push(line),
  }) as typeof silentLog // a log that remembers
  const mailer = createMailer({
    smtpUrl: 'smtp://127.0.0.1:1',
    from: 'a@example.com',
    deliver: async () => undefined,
    log,
    retryAfter: [1],
  })
  await mailer.send({
    kind: 'recovery',
    to: 'b@example.com',
    subject: 's',
    html: 'secret',
    text: 'secret',
  })
  await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 60_000 })
  expect(JSON.stringify(lines)).not.toContain('secret')
  await mailer.close()
})
