import { Agent, createServer, request } from 'node:http'
import { createClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '#kit/testing/free-port'
import { startWorld, type World } from '../../testing/world.ts'

const reserved = 50_000
let world: World
let url: string
let port: number

beforeAll(async () => {
  world = await startWorld(
    `create table books (id int primary key, title text);
     create policy everybody on books to anon using (true) with check (true);
     grant select, insert on books to anon`,
    {
      listenPorts: {
        choice: { low: 1024, high: 65_535 },
        own: [{ low: reserved, high: reserved + 10, what: 'the platform' }],
      },
    },
  )
  url = `/platform/projects/${world.ref}/listener`
  port = await freePort()
})
afterAll(() => world.end())

const set = (desired: unknown, who = world.ada) => who.call('PUT', url, { port: desired })
const at = (path: string, from = port, host = '127.0.0.1') =>
  fetch(`http://${host}:${from}${path}`, { headers: { apikey: world.project.anonKey } })
const statusAt = async (...of: Parameters<typeof at>) => {
  const answer = await at(...of)
  await answer.body?.cancel()
  return answer.status
}

/** A program of the machine that has nothing to do with the platform. */
async function otherProgram(on: number) {
  const server = createServer((_, response) => response.end('other'))
  await new Promise<void>((resolve) => server.listen(on, '127.0.0.1', () => resolve()))
  return () => new Promise<void>((resolve) => server.close(() => resolve()))
}

test.each([
  ['a text', 400, 'port'],
  [1.5, 400, 'port'],
  [80, 400, 'belong to the system'],
  [65_536, 400, 'port'],
  [reserved + 3, 409, 'Port 50003 is kept for the platform'],
])('port %j is refused with %i', async (desired, status, words) => {
  const refused = await set(desired)
  expect(refused.status).toBe(status)
  expect(refused.body['message']).toContain(words)
})

test('a port that another program has is refused, on the network of the other address too', async () => {
  const end = await otherProgram(port)
  const refused = await set(port)
  expect(refused).toMatchObject({ status: 409, body: { code: 'port_unavailable' } })
  expect(refused.body['message']).toContain('in use by another program')
  const create = { organization_slug: 'acme', db_pass: 'a', region: 'eu-central-1' }
  const body = { ...create, name: 'Nowhere', listen_port: port }
  expect((await world.ada.call('POST', '/v1/projects', body)).status).toBe(409)
  await end()
})

test('members read it, who may change the project changes it, strangers know nothing of it', async () => {
  const none = { offered: true, port: null, url: null, problem: null }
  expect((await world.as('Read-only').call('GET', url)).body).toEqual(none)
  expect((await set(port, world.as('Read-only'))).status).toBe(403)
  expect((await set(port, world.stranger)).status).toBe(404)
  expect((await world.stranger.call('GET', url)).status).toBe(404)
  const inner = '/internal/listeners'
  expect((await world.ada.call('GET', inner)).status).toBe(401)
})

test('the client works against the root of the port, at both addresses; nothing else is there', async () => {
  const answer = await set(port)
  const mine = { offered: true, port, url: `http://127.0.0.1:${port}`, problem: null }
  expect(answer).toMatchObject({ status: 200, body: mine })
  for (const host of ['127.0.0.1', '[::1]']) {
    const client = createClient(`http://${host}:${port}`, world.project.anonKey, {
      auth: { persistSession: false },
      realtime: { transport: WebSocket as never },
    })
    const id = host.length
    expect((await client.from('books').insert({ id, title: 'Dune' })).error).toBeNull()
    const read = await client.from('books').select('title').eq('id', id)
    expect(read.data).toEqual([{ title: 'Dune' }])
    const email = `somebody.${id}@example.com`
    const signedUp = await client.auth.signUp({ email, password: 'a long password 42' })
    expect(signedUp.error).toBeNull()
    expect((await client.auth.getUser()).data.user?.email).toBe(email)
  }
  for (const path of [
    '/',
    '/health',
    '/internal/listeners',
    '/pg/tables',
    `/${world.ref}/rest/v1/`,
  ])
    expect(await statusAt(path), path).toBe(404)
  const keyless = await fetch(`http://127.0.0.1:${port}/rest/v1/books`)
  expect(keyless.status).toBe(401)
  await keyless.body?.cancel()
  expect((await world.ada.call('GET', url)).body).toEqual(mine)
  const entry = await world.control.db
    .selectFrom('platform.audit_entries')
    .selectAll()
    .where('action', '=', 'listeners.set')
    .executeTakeFirstOrThrow()
  expect(entry.change).toEqual({ before: { port: null }, after: { port } })
})

test('another project cannot have it, until this one lets go of it; what was open ends', async () => {
  const other = await world.createProject('Films')
  const otherUrl = `/platform/projects/${other.ref}/listener`
  const taken = await world.ada.call('PUT', otherUrl, { port })
  expect(taken.status).toBe(409)
  expect(taken.body['message']).toContain('belongs to another project')
  const agent = new Agent({ keepAlive: true })
  const kept = () =>
    new Promise<number | string>((resolve) => {
      request({ port, agent, path: '/auth/v1/health' }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
        .on('error', (error) => resolve('code' in error ? String(error.code) : 'failed'))
        .end()
    })
  expect(await kept()).toBe(200)
  const elsewhere = await freePort()
  expect((await set(elsewhere)).body).toMatchObject({ port: elsewhere, problem: null })
  expect(await statusAt('/rest/v1/books', elsewhere)).toBe(200)
  expect(await kept()).toMatch(/ECONN/)
  expect((await world.ada.call('PUT', otherUrl, { port })).status).toBe(200)
  expect(await statusAt('/rest/v1/books')).toBe(401)
  // A removed project needs no port.
  expect((await world.ada.call('DELETE', `/v1/projects/${other.ref}`)).status).toBe(200)
  await expect.poll(async () => (await set(port)).status).toBe(200)
  expect(await statusAt('/rest/v1/books')).toBe(200)
  agent.destroy()
})

test('after a restart it is there again, and as soon as whatever took the port meanwhile is gone', async () => {
  await world.restartServices()
  await expect.poll(() => statusAt('/rest/v1/books').catch(() => 0)).toBe(200)
  let end = async () => {}
  await world.restartServices(async () => {
    end = await otherProgram(port)
  })
  const blocked = await world.ada.call('GET', url)
  expect(blocked.body).toMatchObject({ port, problem: `Port ${port} is in use by another program` })
  expect(await (await at('/rest/v1/books')).text()).toBe('other')
  await end()
  expect((await world.ada.call('GET', url)).body).toMatchObject({ port, problem: null })
  expect(await statusAt('/rest/v1/books')).toBe(200)
  expect((await set(null)).body).toMatchObject({ port: null, url: null })
  await expect(at('/rest/v1/books')).rejects.toThrow('fetch failed')
})
