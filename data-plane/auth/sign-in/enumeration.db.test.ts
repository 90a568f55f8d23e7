import { hash } from '@node-rs/bcrypt'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { code } from '../../testing/auth/attack.ts'
import { startHookServer, type HookServer } from '../../testing/auth/hook.ts'
import {
  newEmail,
  newPhone,
  noLimits,
  password,
  startAuthServer,
} from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'
import { createMailer } from '../mail/mailer.ts'

/**
 * Somebody goes through a list of addresses and numbers to learn who is known. Whole answers are compared; work by the
 * hashes that it takes, for a clock tells something else on every machine.
 */
let server: TestServer
let strict: TestTenant
/** Nobody new comes in. */
let closed: TestTenant
let hooked: TestTenant
let hooks: HookServer

beforeAll(async () => {
  server = await startAuthServer({ fetch: createSafeFetch({ allowLoopback: true }) })
  hooks = await startHookServer()
  strict = await server.tenant('strict', { phoneEnabled: true })
  closed = await server.tenant('closed', { phoneEnabled: true, disableSignup: true })
  hooked = await server.tenant('hooked')
})
afterAll(async () => {
  await server.close()
  await hooks.close()
})
afterEach(() => {
  hooked.config.hooks = {}
  hooks.answer = () => ({ body: {} })
})

const refuse = () => ({ body: { error: { http_code: 403, message: 'Not here' } } })

async function confirmed(of: TestTenant, name: 'email' | 'phone' = 'email'): Promise<string> {
  const value = name === 'email' ? newEmail() : newPhone()
  await of.sql(
    `insert into auth.users (id, ${name}, ${name}_confirmed_at, encrypted_password)
     values (gen_random_uuid(), $1, now(), $2)`,
    [value, await hash(password, 4)],
  )
  return value
}

/** An account that somebody else prepared long ago, and nobody confirmed. */
async function prepared(name: 'email' | 'phone'): Promise<string> {
  const value = name === 'email' ? newEmail() : newPhone()
  await strict.sql(
    `insert into auth.users (id, ${name}, created_at, invited_at, recovery_sent_at, last_sign_in_at, banned_until,
                             raw_app_meta_data, raw_user_meta_data)
     values (gen_random_uuid(), $1, '2020-01-01', '2020-01-02', '2020-01-03', '2020-01-04', '2020-01-05',
             '{"provider":"${name}","providers":["${name}"],"team":"secret"}', '{"name":"Ada"}')`,
    [value],
  )
  return value
}

/** All of an answer that can be told apart, without what differs in every answer, and the hashes behind it. */
async function seen(of: TestTenant, path: string, body: Record<string, unknown>) {
  const before = server.auth.hashCount()
  const began = Date.now() - 1000
  const response = await of.call('POST', path, body)
  const hashes = server.auth.hashCount() - before
  const own = body['email'] ?? body['phone']
  const text = (await response.text())
    .replaceAll(String(own), '<who>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => (Date.parse(at) > began ? '<now>' : at))
  return { status: response.status, code: response.headers.get('x-sb-error-code'), text, hashes }
}

const quiet = { status: 200, code: null, text: '{}', hashes: 0 }

test('a magic link is for an address alone', async () => {
  const phone = newPhone()
  const both = { phone, email: newEmail() }
  for (const body of [{}, { phone }, both, { email: 'nobody' }]) {
    const refused = await strict.call('POST', '/magiclink', body)
    expect(await code(refused)).toEqual([400, 'validation_failed'])
  }
  expect(await strict.sql('select 1 from auth.users where phone = $1', [phone])).toEqual([])
})

test('magiclink says the same of everybody where nobody new comes in', async () => {
  const [known, unknown] = [await confirmed(closed), newEmail()]
  for (const email of [known, unknown]) {
    expect(await seen(closed, '/magiclink', { email }), email).toEqual(quiet)
  }
  expect(closed.mails.map(({ to }) => to)).toEqual([known])
  expect(await closed.sql('select 1 from auth.users where email = $1', [unknown])).toEqual([])
})

test('magiclink says the same of everybody who shall not be made', async () => {
  const [known, unknown] = [await confirmed(strict), newEmail()]
  for (const email of [known, unknown]) {
    expect(await seen(strict, '/magiclink', { email, create_user: false }), email).toEqual(quiet)
  }
  expect(await strict.sql('select 1 from auth.users where email = $1', [unknown])).toEqual([])
})

test('magiclink makes an account and mails a link, like otp', async () => {
  const email = newEmail()
  expect(await seen(strict, '/magiclink', { email, data: { plan: 'free' } })).toEqual(quiet)
  expect(strict.mails.at(-1)).toMatchObject({ kind: 'magic_link', to: email })
  const [made] = await strict.sql('select raw_user_meta_data from auth.users where email = $1', [
    email,
  ])
  expect(made).toEqual({ raw_user_meta_data: { plan: 'free' } })
})

test.each(['BEFORE_USER_CREATED', 'SEND_EMAIL'] as const)(
  'what the hook %s refuses shows in no answer of magiclink',
  async (name) => {
    const [known, unknown] = [await confirmed(hooked), newEmail()]
    hooked.config.hooks = { [name]: hooks.hook }
    hooks.answer = refuse
    for (const email of [known, unknown]) {
      expect(await seen(hooked, '/magiclink', { email }), email).toEqual(quiet)
    }
  },
)

test('a queue of mails that is full shows in no answer of recover and magiclink', async () => {
  let hangUp: () => void = () => undefined
  const gone = new Promise<void>((resolve) => (hangUp = resolve))
  const deliver = async () => undefined
  // The mail server takes a mail, and does not say so before the end.
  const stuck = createMailer({ from: 'a@example.com', post: () => gone, deliver, log: silentLog })
  const full = await server.tenant('full', { disableSignup: true }, () => stuck)
  const mail = { kind: 'recovery', to: newEmail(), subject: '', html: '', text: '' } as const
  for (let taken = 0; taken < 1000; taken += 1) await stuck.send(mail)
  await expect(stuck.send(mail)).rejects.toMatchObject({ code: 'over_email_send_rate_limit' })
  for (const path of ['/recover', '/magiclink']) {
    for (const email of [await confirmed(full), newEmail()]) {
      expect(await seen(full, path, { email }), `${path} ${email}`).toEqual(quiet)
    }
  }
  hangUp()
})

test.each(['/otp', '/magiclink'])('a second mail by %s is refused alike', async (path) => {
  const slow = await server.tenant(`slow${path.slice(1)}`, { mailIntervalSeconds: 60 })
  for (const email of [await confirmed(slow), newEmail()]) {
    expect(await seen(slow, path, { email }), email).toEqual(quiet)
    expect(await code(await slow.call('POST', path, { email }))).toEqual([
      429,
      'over_email_send_rate_limit',
    ])
  }
})

test('otp says the same of everybody who may be made', async () => {
  for (const email of [await confirmed(strict), await prepared('email'), newEmail()]) {
    expect(await seen(strict, '/otp', { email }), email).toEqual(quiet)
  }
  for (const phone of [await confirmed(strict, 'phone'), await prepared('phone'), newPhone()]) {
    const text = '{"message_id":"<id>"}'
    expect(await seen(strict, '/otp', { phone }), phone).toEqual({ ...quiet, text })
  }
})

test('otp that may make nobody says who is known, as its clients ask, until its limit', async () => {
  const rateLimits = { ...noLimits.rateLimits, otp: { points: 2, seconds: 60 } }
  const few = await server.tenant('few', { rateLimits })
  const ask = (email: string) => few.call('POST', '/otp', { email, create_user: false })
  expect((await ask(await confirmed(few))).status).toBe(200)
  expect(await code(await ask(newEmail()))).toEqual([422, 'otp_disabled'])
  for (const email of [await confirmed(few), newEmail()]) {
    expect(await code(await ask(email))).toEqual([429, 'over_request_rate_limit'])
  }
})

test.each(['email', 'phone'] as const)(
  'signup shows nothing of an account that waits (%s)',
  async (name) => {
    const body = { password, data: { name: 'Eve' } }
    const fresh = name === 'email' ? newEmail() : newPhone()
    const expected = await seen(strict, '/signup', { ...body, [name]: fresh })
    expect(expected).toMatchObject({ status: 200, hashes: 1 })
    const waits = await prepared(name)
    expect(await seen(strict, '/signup', { ...body, [name]: waits })).toEqual(expected)
    // Nor does who tries again learn when the first time was.
    server.advance(3600)
    expect(await seen(strict, '/signup', { ...body, [name]: fresh })).toEqual(expected)
  },
)

test.each(['email', 'phone'] as const)(
  'signup tells of a confirmed account by its identities alone (%s)',
  async (name) => {
    const fresh = name === 'email' ? newEmail() : newPhone()
    const unknown = await seen(strict, '/signup', { password, [name]: fresh })
    const known = await seen(strict, '/signup', { password, [name]: await confirmed(strict, name) })
    const without = (text: string) => ({ ...(JSON.parse(text) as object), identities: [] })
    expect({ ...known, text: JSON.parse(known.text) as object }).toEqual({
      ...unknown,
      text: without(unknown.text),
    })
  },
)
