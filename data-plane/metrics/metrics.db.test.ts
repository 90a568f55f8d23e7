import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { KeyUse } from '#contract/internal'
import type { ProjectMetrics } from '#contract/observability/project-metrics'
import { openStore } from '../testing/logs/store.ts'
import { startDataPlane, testRef, type TestDataPlane } from '../testing/data-plane.ts'
import { noMeter, type Meter } from '../usage/meter.ts'
import { metricsAsked, readDashboard } from '../testing/grafana.ts'
import { parsed } from '../testing/prometheus.ts'

const secret = 'sb_secret_metrics'
const publishable = 'sb_publishable_metrics'
const hash = (key: string) => createHash('sha256').update(key).digest('hex')
const full: ProjectMetrics = {
  denial: null,
  load: {
    cpu_seconds: 12.34,
    memory_bytes: 100e6,
    connections: 3,
    read_bytes: 5e6,
    written_bytes: 6e6,
  },
  restarts: 2,
  memory_limit: 512 * 1024 ** 2,
  disk: { database_bytes: 30e6, other_bytes: 16e6 },
  totals: [
    { metric: 'requests_rest', value: 41 },
    { metric: 'egress_cached', value: 7 },
  ],
}

let plane: TestDataPlane
let metrics: ProjectMetrics
let asked: string[]
const uses: KeyUse[] = []
const counted: [string, string, number][] = []
const meter: Meter = {
  ...noMeter,
  add: (ref, metric, value) => void counted.push([ref, metric, value]),
}
let logs: Awaited<ReturnType<typeof openStore>>

beforeAll(async () => {
  logs = await openStore({ now: Date.now })
  plane = await startDataPlane('create table words (id int)', {}, testRef, {
    meter,
    logs: logs.store,
    keepKeyUses: async (all) => void uses.push(...all),
    metrics: async (ref) => {
      asked.push(ref)
      return metrics
    },
  })
  plane.project.opaqueKeys.push(
    { sha256: hash(secret), role: 'service_role' },
    { sha256: hash(publishable), role: 'anon' },
  )
})
afterAll(async () => {
  await plane.close()
  await logs.close()
})
beforeEach(() => {
  metrics = full
  asked = []
  plane.project.status = 'ACTIVE_HEALTHY'
})

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const scrape = (authorization?: string, more: Record<string, string> = {}, url = plane.url) =>
  fetch(`${url}/customer/v1/privileged/metrics`, {
    headers: { ...(authorization !== undefined && { authorization }), ...more },
  })
const good = basic('service_role', secret)

test.each<[string, () => string | undefined]>([
  ['nothing', () => undefined],
  ['a wrong key', () => basic('service_role', 'sb_secret_wrong')],
  ['a public key', () => basic('service_role', publishable)],
  ['the anon key', () => basic('service_role', plane.project.anonKey)],
  ['another user', () => basic('postgres', secret)],
  ['no password', () => basic('service_role', '')],
  ['another scheme', () => `Bearer ${secret}`],
  ['no base64', () => 'Basic ***'],
])('%s opens nothing', async (_, authorization) => {
  const response = await scrape(authorization())
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toMatch(/^Basic /)
  expect(await response.text()).not.toContain('pg_up')
  expect(asked).toEqual([])
})

test('a secret key that a page sends is refused, and a project that is none is not found', async () => {
  expect((await scrape(good, { origin: 'https://example.com' })).status).toBe(401)
  const other = plane.url.replace(testRef, 'z'.repeat(20))
  expect((await scrape(good, {}, other)).status).toBe(404)
  expect((await scrape(good, {}, plane.url.replace(testRef, 'short'))).status).toBe(404)
})

test('a plan without it says which plan has it', async () => {
  metrics = { ...full, denial: 'The Free plan has no metrics endpoint. The Pro plan has one' }
  const response = await scrape(good)
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ code: 'plan_limit', message: metrics.denial })
})

test('what is paused stays paused, and whoever has no key does not learn of it', async () => {
  plane.project.status = 'INACTIVE'
  expect((await scrape()).status).toBe(401)
  const response = await scrape(good)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('60')
  expect(asked).toEqual([])
})

test('the figures are those of the server and the database, in the format, once in 15 seconds', async () => {
  const response = await scrape(good)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await response.text()
  const families = parsed(text)
  const value = (name: string, labels: Record<string, string> = {}) =>
    families
      .get(name)
      ?.samples.find((sample) =>
        Object.entries(labels).every(([label, wanted]) => sample.labels[label] === wanted),
      )?.value
  for (const { samples } of families.values())
    for (const { labels } of samples) expect(labels['supabase_project_ref']).toBe(testRef)
  expect(value('pg_up')).toBe(1)
  expect(families.get('node_cpu_seconds_total')?.type).toBe('counter')
  expect(value('node_cpu_seconds_total')).toBe(12.34)
  expect(value('node_memory_MemTotal_bytes')).toBe(512 * 1024 ** 2)
  expect(value('node_memory_MemAvailable_bytes')).toBe(512 * 1024 ** 2 - 100e6)
  expect(value('plinth_disk_used_bytes', { part: 'wal' })).toBe(16e6)
  expect(value('node_disk_read_bytes_total')).toBe(5e6)
  expect(value('node_disk_written_bytes_total')).toBe(6e6)
  expect(value('postgresql_restarts_total')).toBe(2)
  expect(value('plinth_requests_total', { service: 'rest' })).toBe(41)
  expect(value('plinth_requests_total', { service: 'auth' })).toBe(0)
  expect(value('plinth_egress_bytes_total', { service: 'cache' })).toBe(7)
  const [{ size, most } = { size: 0, most: 0 }] = await plane.sql(
    `select pg_database_size(current_database()) / 1e6 as size, current_setting('max_connections')::int as most`,
  )
  expect(value('pg_database_size_mb')).toBeCloseTo(Number(size), 0)
  expect(value('pg_settings_max_connections')).toBe(Number(most))
  expect(value('pg_stat_database_num_backends')).toBeGreaterThan(0)
  expect(value('pg_stat_database_xact_commit_total')).toBeGreaterThan(0)
  // Realtime has no slot here, and another process takes direct connections: what is not there is absent, never zero.
  expect(families.has('supavisor_connections_active')).toBe(false)
  expect(families.has('replication_realtime_lag_bytes')).toBe(false)
  metrics = { ...full, load: null }
  expect(await (await scrape(good)).text()).toBe(text)
  expect(asked).toHaveLength(1)
})

/** What is there only where the project has a slot of Realtime, or this process its port. */
const absentHere = [
  'replication_realtime_lag_bytes',
  'supavisor_client_network_recv',
  'supavisor_client_network_send',
  'supavisor_connections_active',
]

test('each query of the dashboard that we offer finds something in what the endpoint answers', async () => {
  const families = parsed(await (await scrape(good)).text())
  const missing = readDashboard()
    .panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsAsked(expr)))
    .filter(({ metric }) => (families.get(metric)?.samples.length ?? 0) === 0)
    .map(({ metric }) => metric)
  expect(missing.toSorted()).toEqual(absentHere)
})

test('a scrape is no use: no request, no bytes, no entry in the log, no use of its key', async () => {
  counted.length = 0
  expect((await scrape(basic('service_role', plane.project.serviceKey))).status).toBe(200)
  // What is a use comes after it, so that there was time for the others to be noted.
  const used = await fetch(`${plane.url}/rest/v1/words`, { headers: { apikey: publishable } })
  await used.text()
  await expect
    .poll(() => counted.filter(([, metric]) => metric.startsWith('requests_')))
    .toEqual([[testRef, 'requests_rest', 1]])
  expect(new Set(counted.map(([, metric]) => metric))).toEqual(
    new Set(['requests_rest', 'egress_rest']),
  )
  await logs.store.flush()
  const now = Date.now()
  const { events } = await logs.store.page(
    testRef,
    {
      sources: ['edge_logs'],
      from: new Date(now - 600_000).toISOString(),
      to: new Date(now + 60_000).toISOString(),
      filters: [],
      search: '',
      is_pattern: false,
      limit: 100,
      direction: 'older',
    },
    { since: 0, auditSince: 0 },
  )
  expect(events.map(({ fields }) => fields['path'])).toEqual(['/rest/v1/words'])
  // What waits is handed on when a data plane ends.
  await plane.app.close()
  expect(uses.map(({ sha256 }) => sha256)).toEqual([hash(publishable)])
})
