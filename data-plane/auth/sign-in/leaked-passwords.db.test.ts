import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { bearer, json, signIn } from '../../testing/auth/attack.ts'
import { end, listen } from '../../testing/auth/oidc.ts'
import { newEmail, newPhone, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

/** Plays the service: it knows one password, and pads its answers. */
let service: Server
let status = 200
const asked: { path: string | undefined; padding: string | string[] | undefined }[] = []
const leaked = 'everybody has this one'
const hashOf = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
/** Padding looks like what is looked for, and counts for nothing. */
const padded = 'nobody has this one'
const list = [
  `${'0'.repeat(35)}:3`,
  `${hashOf(leaked).slice(5)}:42`,
  `${hashOf(padded).slice(5)}:0`,
]

let server: TestServer
let tenant: TestTenant

beforeAll(async () => {
  service = createServer((request, response) => {
    asked.push({ path: request.url, padding: request.headers['add-padding'] })
    response.writeHead(status, { 'content-type': 'text/plain' }).end(list.join('\r\n'))
  })
  const url = `${await listen(service)}/range/`
  server = await startAuthServer({ fetch: createSafeFetch({ allowLoopback: true }) })
  tenant = await server.tenant('main', { mailerAutoconfirm: true, phoneEnabled: true })
  tenant.config.leakedPasswords = { url }
})
afterAll(async () => {
  await server.close()
  await end(service)
})
afterEach(() => {
  asked.length = 0
  status = 200
  server.logged.length = 0
})

const admin = () => bearer(tenant.serviceKey)
const weak = {
  error_code: 'weak_password',
  msg: 'Password is known to be weak and easy to guess, please choose a different one.',
  weak_password: { reasons: ['pwned'] },
}

test("a leaked password becomes nobody's", async () => {
  const signedUp = await tenant.call('POST', '/signup', { email: newEmail(), password })
  const { access_token: token } = await json<{ access_token: string }>(signedUp)
  const link = { type: 'signup', email: newEmail(), password: leaked }
  const answers = [
    await tenant.call('POST', '/signup', { email: newEmail(), password: leaked }),
    await tenant.call('POST', '/signup', { phone: newPhone(), password: leaked }),
    await tenant.call('PUT', '/user', { password: leaked }, bearer(token)),
    await tenant.call('POST', '/admin/users', { email: newEmail(), password: leaked }, admin()),
    await tenant.call('POST', '/admin/generate_link', link, admin()),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject(weak)
  }
})

test('the service learns five digits of a hash, and padding is no leak', async () => {
  const answer = await tenant.call('POST', '/signup', { email: newEmail(), password: padded })
  expect(answer.status).toBe(200)
  expect(asked).toEqual([{ path: `/range/${hashOf(padded).slice(0, 5)}`, padding: 'true' }])
})

test('while the service fails people sign up, and the log says that nobody looked', async () => {
  status = 503
  const email = newEmail()
  expect((await tenant.call('POST', '/signup', { email, password: leaked })).status).toBe(200)
  expect(server.logged).toHaveLength(1)
  expect(server.logged.join()).toContain('could not be checked')
  expect(server.logged.join()).not.toContain(leaked)
  // Who has such a password signs in with it, and their app is told.
  status = 200
  const session = await signIn(tenant, email, leaked)
  expect(session).toMatchObject({
    access_token: expect.any(String),
    weak_password: { reasons: ['pwned'], message: weak.msg },
  })
  tenant.config.leakedPasswords = undefined
  expect(await signIn(tenant, email, leaked)).not.toHaveProperty('weak_password')
  expect(
    (await tenant.call('POST', '/signup', { email: newEmail(), password: leaked })).status,
  ).toBe(200)
})
