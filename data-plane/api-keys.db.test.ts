import { createHash } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeyUse } from '#contract/internal'
import { silentLog } from '#kit/log'
import { createKeyUses } from './gateway/key-uses.ts'
import { startDataPlane, type TestDataPlane } from './testing/data-plane.ts'

let plane: TestDataPlane
const open = `sb_publishable_${'p'.repeat(43)}`
const secret = `sb_secret_${'s'.repeat(43)}`
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const opaqueKeys = [
  { sha256: sha256(open), role: 'anon' as const },
  { sha256: sha256(secret), role: 'service_role' as const },
]

beforeAll(async () => {
  plane = await startDataPlane(
    `create table notes (id int primary key, owner uuid default auth.uid());
     alter table notes enable row level security;
     create policy own on notes to authenticated using (owner = auth.uid());
     insert into notes values (1, null)`,
    { auth: { MAILER_AUTOCONFIRM: true } },
  )
  plane.directory.put({ ...plane.project, opaqueKeys })
})
afterAll(() => plane.close())

const ask = (headers: Record<string, string>, path = '/rest/v1/notes') =>
  fetch(plane.url + path, { headers })
const clientWith = (key: string) =>
  createClient(plane.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })

const services = ['/rest/v1/notes', '/graphql/v1', '/auth/v1/settings', '/auth/v1/admin/users']
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('a secret key is refused in a browser, whichever way it is sent', () => {
  test.each<[string, Record<string, string>]>([
    ['as a browser calls itself', { 'user-agent': firefox }],
    ['from a page', { origin: 'https://shop.example.com' }],
    ['with what only browsers send', { 'sec-fetch-site': 'same-origin' }],
    ['as a picture', { 'sec-fetch-dest': 'image' }],
  ])('%s', async (_, browser) => {
    for (const path of services) {
      for (const key of [
        { apikey: secret },
        { authorization: `Bearer ${secret}` },
        { apikey: open, authorization: `Bearer ${secret}` },
        { apikey: secret, authorization: `Bearer ${open}` },
      ]) {
        const answer = await ask({ ...key, ...browser }, path)
        expect(answer.status, path).toBe(401)
        expect(await answer.json()).toMatchObject({
          message: 'Forbidden use of secret API key in browser',
        })
      }
      expect((await ask({ apikey: open, ...browser }, path)).status).not.toBe(401)
    }
  })
})

test.each([
  ['an unknown key', { apikey: `${open}x` }],
  ['an unknown key beside a good one', { apikey: open, authorization: `Bearer ${secret}x` }],
  ['a part of one', { apikey: secret.slice(0, -1) }],
  ['the hash of one', { apikey: sha256(secret) }],
  ['the hash of one, in clothes', { apikey: `sb_secret_${sha256(secret)}` }],
])('%s is 401 everywhere', async (_, headers) => {
  for (const path of services) {
    const answer = await ask(headers, path)
    expect(answer.status, path).toBe(401)
    expect(await answer.json()).toMatchObject({ message: 'Invalid API key' })
  }
})

test('each key has its role, as apikey and as bearer; a user’s token goes before it', async () => {
  const rows = async (headers: Record<string, string>) => (await ask(headers)).json()
  for (const name of [{ apikey: secret }, { authorization: `Bearer ${secret}` }])
    expect(await rows(name)).toEqual([{ id: 1, owner: null }])
  expect(await rows({ apikey: secret, authorization: `Bearer ${secret}` })).toHaveLength(1)
  expect(await rows({ apikey: open })).toEqual([])
  expect(await rows({ apikey: open, authorization: `Bearer ${open}` })).toEqual([])
  const user = plane.token({ role: 'authenticated' })
  expect(await rows({ apikey: secret, authorization: `Bearer ${user}` })).toEqual([])
})

test.each([
  ['a publishable key', { apikey: open }, 403],
  ['a publishable key twice', { apikey: open, authorization: `Bearer ${open}` }, 403],
  [
    'a secret key behind a publishable bearer',
    { apikey: secret, authorization: `Bearer ${open}` },
    403,
  ],
  ['a secret key', { apikey: secret }, 200],
  ['a secret key as bearer', { authorization: `Bearer ${secret}` }, 200],
  [
    'a secret bearer beside a publishable key',
    { apikey: open, authorization: `Bearer ${secret}` },
    200,
  ],
])('the admin API answers %s with what it may', async (_, headers, status) => {
  expect((await ask(headers, '/auth/v1/admin/users')).status).toBe(status)
})

test('a user’s token beside a secret key is no admin', async () => {
  const authorization = `Bearer ${plane.token({ role: 'authenticated' })}`
  expect((await ask({ apikey: secret, authorization }, '/auth/v1/admin/users')).status).toBe(403)
})

test('the public client reads, signs up and administers with them', async () => {
  const [page, server] = [clientWith(open), clientWith(secret)]
  const email = 'ada@example.com'
  const { data, error } = await page.auth.signUp({ email, password: 'correct horse 1' })
  expect(error).toBeNull()
  expect((await page.from('notes').select()).data).toEqual([])
  expect((await server.from('notes').select()).data).toHaveLength(1)
  const users = await server.auth.admin.listUsers()
  expect(users.error).toBeNull()
  expect(users.data.users.map(({ id }) => id)).toEqual([data.user?.id])
  expect((await clientWith(open).auth.admin.listUsers()).error?.status).toBe(403)
})

test('keys that another installation has signed by the same secret open every service', async () => {
  for (const role of ['anon', 'service_role'] as const) {
    const key = plane.token({ role, iss: 'supabase', ref: 'zyxwvutsrqponmlkjihg' })
    const client = clientWith(key)
    const { error, data } = await client.from('notes').select('id')
    expect(error).toBeNull()
    expect(data).toEqual(role === 'anon' ? [] : [{ id: 1 }])
    expect((await ask({ apikey: key }, '/auth/v1/settings')).status).toBe(200)
    const users = await client.auth.admin.listUsers()
    expect(users.error?.status).toBe(role === 'anon' ? 403 : undefined)
    expect((await client.storage.listBuckets()).error).toBeNull()
    const broadcast = await fetch(`${plane.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: key, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ topic: 'a', event: 'b', payload: {} }] }),
    })
    expect(broadcast.status).toBe(202)
  }
})

test('disabled legacy keys open nothing, as key or as bearer, and enabled again they do', async () => {
  const { anonKey, serviceKey } = plane.project
  const legacyKeysDisabledAt = '2026-01-02T03:04:05.000Z'
  plane.directory.put({ ...plane.project, opaqueKeys, legacyKeysDisabledAt })
  for (const path of services) {
    for (const headers of [
      { apikey: anonKey },
      { apikey: serviceKey },
      { apikey: open, authorization: `Bearer ${anonKey}` },
      { apikey: open, authorization: `Bearer ${serviceKey}` },
    ]) {
      const answer = await ask(headers, path)
      expect(answer.status, path).toBe(401)
      expect(await answer.json()).toMatchObject({
        message: 'Legacy API keys are disabled',
        hint: expect.stringContaining(legacyKeysDisabledAt),
      })
    }
  }
  expect((await ask({ apikey: open })).status).toBe(200)
  const user = plane.token({ role: 'authenticated' })
  expect((await ask({ apikey: open, authorization: `Bearer ${user}` })).status).toBe(200)
  plane.directory.put({ ...plane.project, opaqueKeys })
  expect((await ask({ apikey: serviceKey })).status).toBe(200)
})

test('uses of keys are handed on, and kept while nobody takes them', async () => {
  const sent: KeyUse[][] = []
  let away = true
  const uses = createKeyUses({
    send: async (part) => {
      if (away) throw new Error('nobody is there')
      sent.push(part)
    },
    log: silentLog,
    everyMs: 10,
  })
  const before = Date.now()
  uses.note('a', sha256(open))
  uses.note('a', sha256(open))
  uses.note('b', sha256(secret))
  await expect.poll(() => sent.length, { timeout: 50, interval: 10 }).toBe(0)
  away = false
  await expect.poll(() => sent.flat().length).toBe(2)
  const [first] = sent.flat()
  expect(first).toMatchObject({ ref: 'a', sha256: sha256(open) })
  expect(first?.at).toBeGreaterThanOrEqual(before)
  await uses.close()
})
