import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntry } from '#contract/organizations/audit'
import { drainBench, names, ref } from '../testing/log-drains/bench.ts'
import { eventsOf } from '../testing/log-drains/receiver.ts'
import { event, noon } from '../testing/logs/events.ts'

const bench = drainBench()

test('a new drain begins with what comes then, also in a file that is there already', async () => {
  const { start, drain, write, arrived, waiting, control, store } = bench()
  write(['before'])
  await store().flush()
  start()
  const { token } = await drain({ since: noon / 1000 + 30_000 })
  store().append(ref, [event('old', 29), event('new', 31)])
  await arrived(['new'])
  // Switched off and on again it begins anew; what came between is not sent.
  control.remove(token)
  await expect.poll(waiting).toEqual([])
  store().append(ref, [event('between', 40)])
  await store().flush()
  await drain({ token, since: noon / 1000 + 50_000, revision: 2 })
  store().append(ref, [event('later', 51)])
  await arrived(['new', 'later'])
})

test('packing and removing take nothing from a drain, and a file is gone once it was sent', async () => {
  const { start, drain, write, arrived, waiting, control, receiver, home, restart } = bench()
  start()
  const { token } = await drain()
  receiver.answers((_, response) => response.writeHead(503).end())
  write(['a'])
  await expect.poll(() => control.last(token)?.failing_since).not.toBeNull()
  // As packing does it: the lines are gone from where people look. Another process finds what this one leaves.
  await restart()
  await rm(join(home, 'logs', ref), { recursive: true })
  receiver.answers()
  receiver.received.length = 0
  start()
  await arrived(['a'])
  await expect.poll(waiting).toEqual([])
})

test('nothing is left of a drain that was removed, nor of those of a project that was', async () => {
  const { start, drain, write, waiting, control, receiver, store, folder } = bench()
  const drains = start()
  receiver.answers((_, response) => response.writeHead(503).end())
  const one = await drain()
  const other = await drain()
  write(['a'])
  await expect.poll(async () => (await waiting()).length).toBe(2)
  control.remove(one.token)
  await expect.poll(() => readdir(join(folder, ref))).toEqual([other.token])
  await store().drop(ref)
  expect(await readdir(folder)).toEqual([])
  // One that ended while nobody was there.
  const third = await drain()
  await drains.close()
  for (const { token } of [other, third]) control.remove(token)
  const before = control.asked()
  start()
  await expect.poll(control.asked).toBe(before + 1)
  // It may have been made just now by another process: it is gone for good when it is so twice.
  control.changed()
  await expect.poll(() => readdir(folder)).toEqual([])
})

test('entries wait for a day, then they are lost, and that is said', async () => {
  const { start, drain, write, control, receiver, store, clock } = bench()
  start()
  const { token } = await drain()
  receiver.answers((_, response) => response.writeHead(503).end())
  write(names(0, 30))
  await expect.poll(() => control.last(token)?.failing_since).not.toBeNull()
  clock.ms = 86_400_000
  const before = receiver.received.length
  await expect.poll(() => receiver.received.length).toBeGreaterThan(before + 2)
  expect(control.last(token)?.lost).toBe(0)
  // The entries are of a second after noon.
  clock.ms = 86_400_000 + 1001
  await expect.poll(() => control.last(token)?.lost).toBe(30)
  receiver.answers()
  store().append(ref, [event('fresh', 86_401)])
  await expect.poll(() => receiver.ids().at(-1)).toBe('fresh')
  expect(control.last(token)?.lost).toBe(30)
  const last = receiver.received.at(-1)
  expect(last && eventsOf(last)).toMatchObject([
    { source: 'log_drain', event_message: '30 entries before this one were lost' },
    { id: 'fresh' },
  ])
})

test('where too much waits the oldest is given up, and that is said', async () => {
  const { start, drain, write, waiting, control, receiver, order, home } = bench()
  start({ maxWaitingBytes: 0 })
  const { token } = await drain()
  receiver.answers((_, response) => response.writeHead(503).end())
  write(names(0, 30))
  await expect.poll(() => control.last(token)?.failing_since).not.toBeNull()
  // Lines that stand in the log as well take no room of their own.
  control.put(order({ scope: { of: 'project', ref: 'bcdefghijklmnopqrstu' } }))
  await expect.poll(async () => (await waiting()).length).toBe(1)
  await rm(join(home, 'logs', ref), { recursive: true })
  control.changed()
  await expect.poll(() => control.last(token)?.lost).toBe(30)
  expect(control.last(token)?.last_error).not.toBeNull()
})

const audited = (id: number): AuditEntry => ({
  id: String(id),
  action: { name: 'projects.create', metadata: [] },
  actor: { id: null, type: 'system', metadata: [] },
  target: { description: 'project:x', metadata: { org_slug: 'acme' } },
  change: { name: 'x' },
  user_agent: null,
  request_id: null,
  hash: 'h',
  occurred_at: new Date(noon / 1000 + id * 1000).toISOString(),
})
test('an audit log is sent by its ids, goes on after a restart, and waits for the control plane', async () => {
  const { start, arrived, control, receiver, counted, order, home } = bench()
  control.audit.push(audited(1), audited(2), audited(3))
  const made = order({ scope: { of: 'organization', id: 7 }, since: noon / 1000 + 2000 })
  control.put(made)
  const first = start()
  await arrived(['2', '3'])
  const [sent] = receiver.received
  expect(sent && eventsOf(sent)[0]).toMatchObject({
    source: 'organization_audit_logs',
    event_message: 'projects.create',
    organization: '7',
    attributes: { change: { name: 'x' }, target: { metadata: { org_slug: 'acme' } } },
  })
  await first.close()
  control.audit.push(audited(4))
  start()
  await arrived(['2', '3', '4'])
  control.away(true)
  control.audit.push(audited(5))
  control.away(false)
  await arrived(['2', '3', '4', '5'])
  // It is nobody's usage, and ends with its cursor.
  expect(counted).toEqual([])
  control.remove(made.token)
  await expect.poll(() => readdir(join(home, 'audits'))).toEqual([])
})

test('S3 gathers entries until their time has come', async () => {
  const { start, drain, write, receiver, store } = bench()
  start()
  await drain({
    type: 's3',
    config: {
      s3_bucket: 'b',
      storage_region: 'r',
      access_key_id: 'k',
      secret_access_key: 's',
      batch_timeout: 1000,
      endpoint: receiver.url,
    },
  })
  write(['a'])
  await store().flush()
  write(['b'])
  await expect.poll(() => receiver.received.length).toBe(1)
  const [{ method, url, headers } = { method: '', url: '', headers: {} }] = receiver.received
  expect([method, url]).toEqual(['PUT', `/b/${ref}/2026/03/10/120001-a.json.gz`])
  expect(headers['content-encoding']).toBeUndefined()
  expect(headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 Credential=k\//)
})
