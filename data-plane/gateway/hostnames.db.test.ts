import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { WantedHostname } from '#contract/internal-api'
import type { ProjectMail } from '../mount/project-auth.ts'
import { startDataPlane, testRef, type TestDataPlane } from '../testing/data-plane.ts'

const host = 'api.acme.org'
const publicUrl = `https://${host}`
const internalToken = 'a token that only our own programs know'
const mails: ProjectMail[] = []
/** What the control plane would say. */
let names: WantedHostname[] = [{ hostname: host, ref: testRef }]
let isAway = false
const listeners = new Set<() => void>()
let plane: TestDataPlane

beforeAll(async () => {
  plane = await startDataPlane(
    `insert into storage.buckets (id, name, public) values ('covers', 'covers', true);
     insert into storage.objects (bucket_id, name) values ('covers', 'dune.png')`,
    { auth: { SITE_URL: 'https://acme.org' } },
    testRef,
    {
      internalToken,
      keepMail: async (mail) => {
        mails.push(mail)
      },
      hostnames: {
        hostnames: async () => {
          if (isAway) throw new Error('The control plane is away')
          return names
        },
        onAnyChange: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
    },
  )
  plane.directory.put({ ...plane.project, publicUrl })
})
afterAll(() => plane.close())

const ask = (path: string, headers: Record<string, string> = {}, body?: object) =>
  plane.app.inject({
    method: body ? 'POST' : 'GET',
    url: path,
    headers: { apikey: plane.project.anonKey, ...headers },
    ...(body && { payload: body }),
  })
const own = async (path: string, body: object) =>
  (
    await ask(
      `/internal/storage/${testRef}/buckets/covers/objects/${path}`,
      { authorization: `Bearer ${internalToken}` },
      body,
    )
  ).json<{ url: string }>().url
const change = (to: WantedHostname[]) => {
  names = to
  for (const listener of listeners) listener()
}

test('from the first request on a project is reached by its name', async () => {
  expect((await ask('/auth/v1/settings', { host })).statusCode).toBe(200)
  expect((await ask('/auth/v1/settings', { host: 'acme.org' })).statusCode).toBe(404)
  expect((await ask('/internal/extension-use', { host })).statusCode).toBe(404)
  const authorization = `Bearer ${internalToken}`
  const inner = await ask(`/internal/storage/${testRef}/rounds`, { host, authorization }, {})
  expect(inner.statusCode, 'nothing of ours is there, whatever one shows').toBe(404)
})

test('links in mails begin with the name, whatever Host header was sent; tokens keep their issuer', async () => {
  const body = { email: 'ada@example.com', password: 'correct horse 1' }
  // By the usual address, with a Host header that anybody can send.
  const made = await ask(`/${testRef}/auth/v1/signup`, { host: 'evil.example' }, body)
  expect(made.statusCode).toBe(200)
  expect(mails.at(-1)?.text).toContain(`${publicUrl}/auth/v1/verify?`)
  expect(mails.at(-1)?.text).not.toContain('evil.example')
  const metadata = await ask('/auth/v1/.well-known/openid-configuration', { host })
  expect(metadata.json()).toMatchObject({
    issuer: `${plane.project.url}/auth/v1`,
    jwks_uri: `${publicUrl}/auth/v1/.well-known/jwks.json`,
  })
})

test('addresses of files that people pass on begin with the name, what the dashboard shows does not', async () => {
  const signed = await own('sign', { path: 'dune.png', expires_in: 60 })
  expect(signed).toMatch(
    /^https:\/\/api\.acme\.org\/storage\/v1\/object\/sign\/covers\/dune\.png\?/,
  )
  expect(await own('public-url', { path: 'dune.png' })).toBe(
    `${publicUrl}/storage/v1/object/public/covers/dune.png`,
  )
  expect(await own('download', { path: 'dune.png' })).toContain(`${plane.project.url}/storage/v1/`)
})

test('sockets are opened by the name', async () => {
  const { origin } = new URL(plane.url)
  const at = `${origin.replace('http', 'ws')}/realtime/v1/websocket?vsn=1.0.0&apikey=${plane.project.anonKey}`
  const opened = (headers: Record<string, string>) =>
    new Promise<boolean>((resolve) => {
      const socket = new WebSocket(at, { headers })
      socket.once('open', () => {
        socket.close()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
  expect(await opened({ host })).toBe(true)
  expect(await opened({ host: 'acme.org' })).toBe(false)
})

test('what is known holds while nobody can tell; a name that is taken away is nobody’s', async () => {
  isAway = true
  change([])
  expect((await ask('/auth/v1/settings', { host })).statusCode).toBe(200)
  isAway = false
  change([{ hostname: 'www.acme.org', ref: testRef }])
  await expect
    .poll(async () => (await ask('/auth/v1/settings', { host: 'www.acme.org' })).statusCode)
    .toBe(200)
  expect((await ask('/auth/v1/settings', { host })).statusCode).toBe(404)
})
