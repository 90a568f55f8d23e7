import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startHooks } from '../testing/webhooks/hooks-plane.ts'

/** Addresses that lead inward by a name, by dots or by another project's path. Nothing of this machine may be called here. */
type Found = { address: string; family: number }[]
const names = new Map<string, (before: number) => Found>()
const asked: string[] = []
/** The resolver of this machine, but for these names; one that answers otherwise each time is nowhere to be had. */
const { lookup } = dns
type Lookup = (name: string, how: object, done: (error: null, found: Found) => void) => void
const resolve: Lookup = (name, how, done) => {
  const answer = names.get(name)
  if (!answer) return lookup(name, how, done as never)
  const before = asked.filter((one) => one === name).length
  asked.push(name)
  return done(null, answer(before))
}
function resolveBy(by: unknown): void {
  Object.assign(dns, { lookup: by })
  syncBuiltinESMExports()
}

let hooks: Awaited<ReturnType<typeof startHooks>>
/** Something of this machine: whoever connects has got in. */
let inner: Server
let connections = 0
let port: number
beforeAll(async () => {
  resolveBy(resolve)
  inner = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((done) => inner.listen(0, '127.0.0.1', done))
  port = (inner.address() as AddressInfo).port // it listens on TCP
  hooks = await startHooks({
    setup: 'create table orders (id int primary key)',
    reachesLoopback: false,
  })
})
afterAll(async () => {
  resolveBy(lookup)
  inner.close()
  await hooks.close()
})
afterEach(async () => {
  names.clear()
  asked.splice(0)
  connections = 0
  await hooks.sql(`drop table orders cascade; create table orders (id int primary key);
    truncate supabase_functions.deliveries cascade`)
})

const loopback = { address: '127.0.0.1', family: 4 }
/** A public address that nobody has. */
const elsewhere = { address: '2a0f:ffff:ffff:ffff::1', family: 6 }

/** The one attempt of a call of an address. */
async function callOf(url: string) {
  await hooks.sql(`create trigger inward after insert on orders for each row
    execute function supabase_functions.http_request('${url}', 'POST', '{}', '{}', '1000')`)
  await hooks.sql('insert into orders values (1)')
  await expect
    .poll(async () => (await hooks.deliveries('inward'))[0])
    .toMatchObject({ state: 'dead' })
  return (await hooks.attempts('inward'))[0]
}

test('a name that stands for an inner address is not called', async () => {
  names.set('inward.example', () => [loopback])
  expect(await callOf(`https://inward.example:${port}/`)).toMatchObject({
    status_code: null,
    error_msg: 'inward.example is not a public address',
  })
  expect(connections).toBe(0)
})

test('nor one that stands for a public and an inner one', async () => {
  names.set('mixed.example', () => [elsewhere, loopback])
  expect(await callOf(`https://mixed.example:${port}/`)).toMatchObject({
    error_msg: 'mixed.example is not a public address',
  })
  expect(connections).toBe(0)
})

test('a name that stands for another address from one moment to the next is asked for once', async () => {
  names.set('rebound.example', (before) => [before === 0 ? elsewhere : loopback])
  expect(await callOf(`https://rebound.example:${port}/`)).toMatchObject({ status_code: null })
  expect(asked).toEqual(['rebound.example'])
  expect(connections).toBe(0)
})

test.each([
  ['of another project', (url: string) => url.replace(/[a-z]{20}$/, 'bbbbbbbbbbbbbbbbbbbb')],
  [
    'of another, by dots from its own',
    (url: string) => `${url}/functions/v1/../../../bbbbbbbbbbbbbbbbbbbb`,
  ],
  [
    'by written-out dots',
    (url: string) => `${url}/functions/v1/%2e%2e/%2e%2e/%2e%2e/bbbbbbbbbbbbbbbbbbbb`,
  ],
  ['by backslashes', (url: string) => `${url}/functions/v1/..\\..\\..\\bbbbbbbbbbbbbbbbbbbb`],
])('a function %s is not called as a function of its own is', async (_, other) => {
  const url = other(hooks.plane.project.url)
  const attempt = await callOf(`${url}/functions/v1/hear`)
  expect(attempt).toMatchObject({ status_code: null })
  expect(attempt?.['error_msg']).toMatch(/not a public address|must start with https/)
})

test('a function of its own that is not there is asked for, and not more', async () => {
  const { url } = hooks.plane.project
  expect(await callOf(`${url}/functions/v1/missing`)).toMatchObject({ status_code: 404 })
})
