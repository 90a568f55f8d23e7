import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SumMetric } from '#contract/billing/usage-metrics'
import { freePort } from '#kit/testing/free-port'
import { startDataPlane, testRef, type TestDataPlane } from '../testing/data-plane.ts'
import { recordingStore } from '../testing/logs/recording.ts'
import { socketFor } from '../testing/postgres-gateway.ts'
import { noMeter } from '../usage/meter.ts'

let plane: TestDataPlane
let port: number
let folder = '/nowhere'
let removeFolder = () => Promise.resolve()
let changed = () => undefined as void
let networks: string[] | null = null
const others = { connections: 50, ssl_enforced: false, paused: null }
const pool = { size: 5, clients: 50 }
const { store, events } = recordingStore()
const counts = new Map<SumMetric, number>()
let look = () => undefined as void

beforeAll(async () => {
  port = await freePort()
  plane = await startDataPlane('create table books (id int)', {}, testRef, {
    logs: store,
    meter: {
      ...noMeter,
      add: (ref, metric, amount) => {
        if (ref === testRef) counts.set(metric, (counts.get(metric) ?? 0) + amount)
      },
      beforeSync: (called) => {
        look = called
      },
    },
    databasePorts: {
      databasePorts: () =>
        Promise.resolve([
          { ref: testRef, port, host: folder, pool, networks, replicas: [], ...others },
        ]),
      onAnyChange: (listener) => {
        changed = listener
        return () => undefined
      },
    },
  })
  const made = await socketFor(plane.database, port)
  folder = made.folder
  removeFolder = made.remove
  await states()
})
afterAll(async () => {
  await plane.close()
  await removeFolder()
})

const states = async () => {
  const headers = { authorization: 'Bearer a token that only our own programs know' }
  const url = `${new URL(plane.url).origin}/internal/database-ports`
  return (await fetch(url, { method: 'POST', headers })).json()
}
const noted = () =>
  events.flatMap(({ event }) => (event.source === 'supavisor_logs' ? [event] : []))
const clientOf = (more: object = {}) =>
  new Client({
    ...plane.database.configFor('postgres'),
    host: '127.0.0.1',
    port,
    application_name: 'monthly report',
    ...more,
  })

test('a connection is two entries of the log: who, from where, how long and how much', async () => {
  const client = clientOf()
  await client.connect()
  await client.query(`select repeat('x', 10000)`)
  await expect.poll(noted).toHaveLength(1)
  await client.end()
  await expect.poll(noted).toHaveLength(2)
  const rest = {
    user: 'postgres',
    db_name: plane.database.name,
    application_name: 'monthly report',
    process_id: expect.any(Number),
  }
  const who = `postgres on ${plane.database.name}`
  expect(noted()).toMatchObject([
    {
      level: 'info',
      message: `${who} connected from 127.0.0.1`,
      columns: { severity: 'connected', address: '127.0.0.1' },
      rest,
    },
    {
      level: 'info',
      message: expect.stringMatching(/disconnected after \d+\.\d s, \d+ bytes sent, \d+ received$/),
      columns: { severity: 'disconnected', address: '127.0.0.1', duration: expect.any(Number) },
      rest,
    },
  ])
  const { response_bytes: sent, request_bytes: received } = noted()[1]?.columns ?? {}
  expect(sent).toBe(counts.get('egress_database'))
  expect(Number(sent)).toBeGreaterThan(10_000)
  expect(Number(received)).toBeGreaterThan(100)
  expect(counts.get('database_connections')).toBe(1)
})

test('a refusal is a warning with its code; nothing of a password is in any entry', async () => {
  events.length = 0
  await expect(clientOf({ password: 'not-this-one' }).connect()).rejects.toThrow(/authentication/)
  networks = ['10.0.0.0/8']
  changed()
  await states()
  await expect(clientOf().connect()).rejects.toThrow(/not allowed/)
  networks = null
  await states()
  await expect.poll(noted).toHaveLength(2)
  expect(noted()).toMatchObject([
    { level: 'warning', columns: { severity: 'refused' }, rest: { sql_state_code: '28P01' } },
    { level: 'warning', columns: { severity: 'refused' }, rest: { sql_state_code: '28000' } },
  ])
  const all = JSON.stringify(events)
  expect(all).not.toContain('not-this-one')
  expect(all).not.toContain(plane.database.configFor('postgres').password)
})

test('a download is counted while it lasts', async () => {
  const before = counts.get('egress_database') ?? 0
  const client = clientOf()
  await client.connect()
  await client.query(`select repeat('x', 1000000)`)
  look()
  expect((counts.get('egress_database') ?? 0) - before).toBeGreaterThan(1_000_000)
  await client.end()
})
