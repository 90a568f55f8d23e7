import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createDirectory, type RemoteDirectory } from './directory.ts'

const ref = 'abcdefghijklmnopqrst'
const other = 'bbbbbbbbbbbbbbbbbbbb'
const project = (name: string, status = 'ACTIVE_HEALTHY') => ({
  ref: name,
  status,
  database: { host: '/s', port: 5432, servicePassword: 'x' },
  jwtSecret: 'x'.repeat(40),
  sealingKey: '0'.repeat(64),
  anonKey: 'a',
  serviceKey: 's',
  url: 'http://x',
  settings: {},
})

/** The two endpoints of the control plane that a directory talks to. */
let lookups: string[]
let streams: ServerResponse[]
let status: string
let failing: boolean
let held: (() => void)[] | undefined
let directory: RemoteDirectory
const server = createServer((request, response) => answer(request, response))

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.authorization !== 'Bearer secret') {
    response.writeHead(401).end()
    return
  }
  if (request.url === '/internal/changes') {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write('\n')
    streams.push(response)
    return
  }
  const name = request.url?.split('/').at(-1) ?? ''
  lookups.push(name)
  const body = JSON.stringify(project(name, status))
  const known = name === ref
  const reply = () => {
    if (failing) response.writeHead(503).end('{}')
    else response.writeHead(known ? 200 : 404).end(known ? body : '{}')
  }
  if (held) held.push(reply)
  else reply()
}

const eventually = { timeout: 5000, interval: 5 }

beforeEach(async () => {
  lookups = []
  streams = []
  status = 'ACTIVE_HEALTHY'
  failing = false
  held = undefined
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  directory = createDirectory({
    controlPlaneUrl: `http://127.0.0.1:${port}`,
    token: 'secret',
    log: silentLog,
    absentForMs: 100,
  })
  await expect.poll(() => streams.length, eventually).toBe(1)
  // The stream is open on this side as well once its first change is heard.
  await heard(() => streams[0]?.write(`{"ref":"${ref}"}\n`))
})
afterEach(async () => {
  directory.close()
  for (const stream of streams) stream.destroy()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

/** Resolves with the first ref that is heard. */
function heard(cause: () => unknown): Promise<string> {
  return new Promise((done) => {
    const stop = directory.onChange((name) => {
      stop()
      done(name)
    })
    // Known projects are told about; this one has to be known for a lost stream to mention it.
    cause()
  })
}

test('a project is looked up once, also by many at once', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => directory.find(ref)))
  expect(new Set(all).size).toBe(1)
  expect(all[0]).toMatchObject({ ref, settings: { maxRows: 1000 } })
  await directory.find(ref)
  expect(lookups).toEqual([ref])
})

test('that a project does not exist is believed for a moment only', async () => {
  expect(await directory.find(other)).toBeUndefined()
  expect(await directory.find(other)).toBeUndefined()
  expect(lookups).toEqual([other])
  await expect
    .poll(async () => {
      await directory.find(other)
      return lookups.length
    }, eventually)
    .toBeGreaterThan(1)
})

test('a failed lookup is told and not remembered', async () => {
  failing = true
  await expect(directory.find(ref)).rejects.toThrow('503')
  failing = false
  expect(await directory.find(ref)).toMatchObject({ ref })
})

test('a change is heard and leads to a new lookup, whatever way its line is cut', async () => {
  await directory.find(ref)
  status = 'INACTIVE'
  const line = `\n{"ref":"${ref}"}\n\n`
  const name = await heard(() => {
    streams[0]?.write(line.slice(0, 9))
    setTimeout(() => streams[0]?.write(line.slice(9)), 10)
  })
  expect(name).toBe(ref)
  expect(await directory.find(ref)).toMatchObject({ status: 'INACTIVE' })
})

test('a change that is of no project is heard, and what is known of projects stays known', async () => {
  await directory.find(ref)
  const asked = lookups.length
  const heard = new Promise<void>((resolve) => directory.onAnyChange(resolve))
  streams[0]?.write('{"ref":null}\n')
  await heard
  await directory.find(ref)
  expect(lookups).toHaveLength(asked)
})

test('an answer that a change has overtaken is asked for again', async () => {
  held = []
  const found = directory.find(ref)
  await expect.poll(() => held?.length, eventually).toBe(1)
  const [stale] = held
  await heard(() => streams[0]?.write(`{"ref":"${ref}"}\n`))
  held = undefined
  stale?.()
  status = 'INACTIVE'
  expect(await found).toMatchObject({ status: 'INACTIVE' })
})

test('a lost stream is made again, and then everything known counts as changed', async () => {
  await directory.find(ref)
  status = 'INACTIVE'
  const name = await heard(() => streams[0]?.destroy())
  expect(name).toBe(ref)
  expect(streams).toHaveLength(2)
  expect(await directory.find(ref)).toMatchObject({ status: 'INACTIVE' })
})

test('while the control plane is away, what is known stays usable', async () => {
  await directory.find(ref)
  failing = true
  expect(await directory.find(ref)).toMatchObject({ status: 'ACTIVE_HEALTHY' })
})

test('nonsense in the stream ends it and starts a new one', async () => {
  await directory.find(ref)
  await heard(() => streams[0]?.write('{"ref":"../../etc"}\n'))
  expect(streams.length).toBeGreaterThan(1)
})

test('a project that was known is served as before while nobody can tell what has changed', async () => {
  await directory.find(ref)
  failing = true
  await heard(() => streams[0]?.destroy())
  expect(await directory.find(ref)).toMatchObject({ status: 'ACTIVE_HEALTHY' })
  await expect(directory.find(other)).rejects.toThrow('503')
  // Somebody is asked all the while, though not for every request.
  failing = false
  status = 'INACTIVE'
  await expect.poll(async () => (await directory.find(ref))?.status, eventually).toBe('INACTIVE')
})
