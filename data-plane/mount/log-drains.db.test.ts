import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { UsageReport } from '#contract/billing/usage-metrics'
import { LogDrainTest } from '#contract/observability/log-drain-shapes'
import { createLog } from '#kit/log'
import { createLogFiles, type LogFiles } from '../logs/files/log-files.ts'
import { startDataPlane, testRef, type TestDataPlane } from '../testing/data-plane.ts'
import { quick } from '../testing/log-drains/bench.ts'
import { fakeControlPlane } from '../testing/log-drains/control-plane.ts'
import { eventsOf, startReceiver, type Receiver } from '../testing/log-drains/receiver.ts'
import { createMeter } from '../usage/meter.ts'

const canary = 'canary-8b1c2f0e'
const control = fakeControlPlane()
const used: UsageReport['buckets'] = []
let home: string
let logged = ''
let store: LogFiles
let plane: TestDataPlane
let receiver: Receiver

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plinth-drains-'))
  const log = createLog('data-plane', 'debug', { write: (line) => void (logged += line) })
  store = createLogFiles({
    folder: join(home, 'logs'),
    log,
    engine: { program: join(home, 'no-engine.js') },
    everyMs: 5,
  })
  receiver = await startReceiver()
  plane = await startDataPlane('create table books (id int)', {}, testRef, {
    log,
    logs: store,
    logDrains: {
      source: control.source,
      spool: store.spool,
      folder: join(home, 'audits'),
      maxWaitingBytes: 1e9,
      timing: quick,
    },
    meter: createMeter({
      folder: join(home, 'usage'),
      send: async ({ buckets }) => {
        used.push(...buckets)
        return { refused: 0 }
      },
      log,
      // What was counted is sent when everything else has ended.
      sendMs: 3_600_000,
    }),
    reachesLoopback: true,
  })
})
beforeEach(() => {
  receiver.answers()
  receiver.received.length = 0
})
afterAll(async () => {
  await receiver.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

const ours = 'Bearer a token that only our own programs know'
const ask = (body: unknown, authorization = ours) =>
  fetch(`${new URL(plane.url).origin}/internal/log-drains/test`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const tried = async (config: object, type = 'webhook') => {
  const answer = await ask({ type, config })
  expect(answer.status).toBe(200)
  return LogDrainTest.parse(await answer.json())
}

test('nobody but our own programs tries a drain', async () => {
  const key = `Bearer ${plane.project.serviceKey}`
  expect((await ask({ type: 'webhook', config: { url: receiver.url } }, key)).status).toBe(401)
  expect(receiver.received).toEqual([])
})

test.each([
  [{}, 'type'],
  [{ type: 'pigeon', config: {} }, 'type'],
  [{ type: 'webhook', config: {} }, 'url'],
  [{ type: 'webhook', config: { url: 'file:///etc/passwd' } }, 'url'],
  [{ type: 'loki', config: { url: 'https://example.com', headers: { 'a b': '' } } }, 'headers'],
  [{ type: 's3', config: { s3_bucket: 'b' } }, 'storage_region'],
])('a config that is none is refused by its field: %j', async (body, field) => {
  const answer = await ask(body)
  expect(answer.status).toBe(400)
  expect(((await answer.json()) as { message: string }).message).toContain(field)
})

test('a drain that works takes one entry that says what it is', async () => {
  receiver.answers((_, response) => response.writeHead(202).end('thanks'))
  const said = await tried({ url: receiver.url })
  expect(said).toMatchObject({ ok: true, status: 202, detail: '202 thanks' })
  const [only] = receiver.received
  expect(only && eventsOf(only)).toMatchObject([{ source: 'log_drain_test' }])
})

test('what fails is an answer, and never shows a secret', async () => {
  receiver.answers(({ headers }, response) =>
    response.writeHead(403).end(`${String(headers['x-key'])} is wrong\0`),
  )
  const refused = await tried({ url: receiver.url, headers: { 'x-key': canary } })
  expect(refused).toMatchObject({ ok: false, status: 403, detail: '403 [redacted] is wrong ' })
  receiver.answers((_, response) => response.destroy())
  expect(await tried({ url: receiver.url })).toMatchObject({ ok: false, status: null })
  const inner = await tried({ url: 'https://10.0.0.1/in' })
  expect(inner).toMatchObject({
    ok: false,
    status: null,
    detail: '10.0.0.1 is not a public address',
  })
  const plain = await tried({ dsn: `http://${canary}@sentry.example.com/1` }, 'sentry')
  expect(plain).toMatchObject({ ok: false, detail: 'The address must start with https://' })
})

test('requests of a project arrive without their secrets, and are its usage', async () => {
  const token = randomUUID()
  control.put({
    token,
    scope: { of: 'project', ref: testRef },
    type: 'webhook',
    config: { url: receiver.url, headers: { 'x-key': canary } },
    revision: 1,
    since: Date.now() - 1000,
  })
  const folder = join(home, 'logs/.drains', testRef, token)
  await expect.poll(() => readdir(folder).catch(() => [])).toContain('ready')
  // The first attempts fail, which is said in the log.
  receiver.answers((_, response) => response.writeHead(500).end(canary))
  const id = randomUUID()
  await fetch(`${plane.url}/rest/v1/books?apikey=${canary}&select=id`, {
    headers: {
      apikey: plane.project.anonKey,
      authorization: `Bearer ${plane.project.serviceKey}`,
      cookie: canary,
      'x-request-id': id,
    },
  })
  await expect.poll(() => control.last(token)?.last_error).toBe('500 [redacted]')
  receiver.answers()
  await expect.poll(() => control.last(token)?.failing_since).toBeNull()
  const taken = receiver.received.at(-1)
  const entries = taken ? eventsOf(taken) : []
  expect(entries).toContainEqual(
    expect.objectContaining({
      source: 'edge_logs',
      request_id: id,
      project: testRef,
      attributes: expect.objectContaining({ search: '?apikey=[redacted]&select=id' }),
    }),
  )
  for (const { body } of receiver.received) {
    expect(body.includes(canary)).toBe(false)
    expect(body.includes(plane.project.serviceKey)).toBe(false)
  }

  // Closing tells what is not told: the meter is the last to end.
  await plane.close()
  const sum = (metric: string) =>
    used.reduce((all, each) => all + (each.metric === metric ? each.value : 0), 0)
  expect(sum('drain_events')).toBe(control.last(token)?.events)
  expect(sum('drain_bytes')).toBe(control.last(token)?.bytes)
  expect(sum('drain_bytes')).toBeGreaterThan(0)
  expect(logged).toContain('A log drain fails')
  expect(logged).not.toContain(canary)
})
