import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Replicas } from '#contract/projects/replicas'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let at: string
beforeAll(async () => {
  world = await startWorld(
    `create table notes (n int primary key); grant select, insert on notes to service_role;`,
  )
  at = `/platform/projects/${world.ref}/read-replicas`
  const { db } = world.control
  await db.updateTable('platform.organizations').set({ tier: 'tier_pro' }).execute()
  await db.updateTable('platform.projects').set({ compute_size: 'small' }).execute()
})
afterAll(() => world.end())

const within = { timeout: 120_000, interval: 50 }
const list = async () => Replicas.parse((await world.ada.call('GET', at)).body).replicas
const project = async () => (await world.ada.call('GET', `/platform/projects/${world.ref}`)).body
const status = async () => (await project())['status']
async function made(): Promise<string> {
  const { body } = await world.ada.call('POST', at)
  const identifier = String(body['identifier'])
  await expect
    .poll(async () => (await list()).find((one) => one.identifier === identifier)?.state, within)
    .toBe('streaming')
  return identifier
}
const promote = (identifier: string, body: object = {}) =>
  world.ada.call('POST', `${at}/${identifier}/promote`, body)
const rest = (path: string, body?: object) =>
  fetch(`${world.project.url}/rest/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      apikey: world.project.serviceKey,
      authorization: `Bearer ${world.project.serviceKey}`,
      'content-type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

test('who may not make replicas promotes none, and there has to be one', async () => {
  const path = `${at}/abcde/promote`
  expect((await fetch(`${world.controlUrl}${path}`, { method: 'POST' })).status).toBe(401)
  expect((await world.stranger.call('POST', path, {})).status).toBe(404)
  for (const role of ['Developer', 'Read-only'] as const)
    expect((await world.as(role).call('POST', path, {})).status, role).toBe(403)
  expect(await promote('abcde')).toMatchObject({ status: 404, body: { code: 'replica_not_found' } })
  expect((await promote('ABCDE')).status).toBe(400)
  expect((await promote('abcde', { force: 'yes' })).status).toBe(400)
  expect(await status()).toBe('ACTIVE_HEALTHY')
})

test('all that was acknowledged while a replica was promoted is there, and the project goes on', async () => {
  const identifier = await made()
  const acknowledged: number[] = []
  let going = true
  const writer = (async () => {
    for (let n = 1; going; n++) {
      const answer = await rest('/notes', { n })
      await answer.text()
      if (answer.status === 201) acknowledged.push(n)
      // The machine is for whoever starts the server meanwhile.
      else await delay(20)
    }
  })()
  await expect.poll(() => acknowledged.length, within).toBeGreaterThan(20)
  const answer = await promote(identifier)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({
    status: 201,
    body: { identifier, status: 'RESTARTING' },
  })
  expect((await promote(identifier)).status).toBe(409)
  await expect.poll(status, within).toBe('ACTIVE_HEALTHY')
  const before = acknowledged.length
  await expect.poll(() => acknowledged.length, within).toBeGreaterThan(before + 20)
  going = false
  await writer
  const rows = await world.sql('select n from notes order by n')
  const there = new Set(rows.map(({ n }) => n))
  expect(acknowledged.filter((n) => !there.has(n))).toEqual([])
  expect(await list()).toEqual([])
  expect((await project())['failure']).toBe(null)
  expect(await world.sql('select timeline_id as n from pg_control_checkpoint()')).toEqual([
    { n: 2 },
  ])
  const usages = await world.control.db
    .selectFrom('platform.compute_usage')
    .select('replica')
    .where('ended_at', 'is', null)
    .execute()
  expect(usages).toEqual([{ replica: null }])
  const entries = await world.control.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'target'])
    .where('action', 'in', ['replicas.promote', 'projects.fail'])
    .execute()
  expect(entries).toEqual([{ action: 'replicas.promote', target: `project:${world.ref}` }])
})

test('another replica is made anew, and follows the new primary', async () => {
  const [first, second] = [await made(), await made()]
  expect((await promote(first)).status).toBe(201)
  await expect.poll(status, within).toBe('ACTIVE_HEALTHY')
  await expect
    .poll(async () => (await list()).map((one) => one.identifier), within)
    .toEqual([second])
  await world.control.mendReplicas()
  await expect.poll(async () => (await list())[0]?.state, within).toBe('streaming')
})

test('one that cannot be promoted leaves the project with the server that it had, and says why', async () => {
  const [one] = await list()
  const identifier = one?.identifier ?? ''
  const { replicas } = world.control.compute
  if (!replicas) throw new Error('This provider has no read replicas')
  const { promote: real } = replicas
  replicas.promote = () => Promise.reject(new Error('It is too far behind the primary'))
  try {
    expect((await promote(identifier)).status).toBe(201)
    await expect.poll(status, within).toBe('ACTIVE_HEALTHY')
  } finally {
    replicas.promote = real
  }
  expect(await list()).toMatchObject([
    { identifier, status: 'ACTIVE_HEALTHY', reason: expect.stringContaining('too far behind') },
  ])
  expect(await world.sql('select count(*) > 0 as n from notes')).toEqual([{ n: true }])
})
