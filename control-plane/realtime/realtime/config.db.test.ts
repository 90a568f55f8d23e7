import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { realtimeDefaults, realtimeKeys } from '#contract/realtime/realtime-config'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let url: string
const clients: { removeAllChannels: () => unknown }[] = []

beforeAll(async () => {
  world = await startWorld()
  url = `/platform/projects/${world.ref}/config/realtime`
})
afterAll(async () => {
  for (const client of clients) await client.removeAllChannels()
  await world.end()
})
const nothing = Object.fromEntries(realtimeKeys.map((key) => [key, null]))
const set = (changes: object, who = world.ada) => who.call('PATCH', url, changes)
const onPlan = (tier: 'tier_free' | 'tier_pro' | 'tier_payg' | 'tier_team') =>
  world.control.db
    .updateTable('platform.organizations')
    .set({ tier })
    .where('slug', '=', 'acme')
    .execute()
beforeEach(async () => {
  await onPlan('tier_team')
  const { status, body } = await set(nothing)
  expect(status).toBe(200)
  expect(body).toMatchObject(realtimeDefaults('tier_team'))
})

const connect = () => {
  const client = createClient(world.project.url, world.project.anonKey, {
    // The types of ws and of the DOM differ in parts that are not used here.
    realtime: { transport: WebSocket as never },
  })
  clients.push(client)
  return client
}
const joined = (channel: ReturnType<ReturnType<typeof connect>['channel']>) =>
  new Promise<string>((resolve) =>
    channel.subscribe((status, error) =>
      resolve(error ? `${status} ${error.message}` : String(status)),
    ),
  )

test.each([
  [{ max_concurrent_users: 0 }, 'max_concurrent_users'],
  [{ max_concurrent_users: 50_001 }, 'max_concurrent_users'],
  [{ max_events_per_second: 50_001 }, 'max_events_per_second'],
  [{ max_bytes_per_second: 10_000_001 }, 'max_bytes_per_second'],
  [{ max_channels_per_client: 10_001 }, 'max_channels_per_client'],
  [{ max_joins_per_second: 5001 }, 'max_joins_per_second'],
  [{ max_joins_per_second: 1.5 }, 'max_joins_per_second'],
  [{ private_only: 'yes' }, 'private_only'],
  [{ connection_pool: 0 }, 'connection_pool'],
  [{ connection_pool: 999 }, 'connection_pool: the database takes'],
])('%j is refused', async (changes, words) => {
  const refused = await set(changes)
  expect(refused.status).toBe(400)
  expect(refused.body['message']).toContain(words)
})

test('members read it, owners and administrators change it, strangers know nothing of it', async () => {
  expect((await world.stranger.call('GET', url)).status).toBe(404)
  expect((await set({ private_only: true }, world.stranger)).status).toBe(404)
  for (const role of ['Developer', 'Read-only'] as const) {
    expect((await world.as(role).call('GET', url)).status).toBe(200)
    expect((await set({ private_only: true }, world.as(role))).status).toBe(403)
  }
  expect((await set({ private_only: true }, world.as('Administrator'))).status).toBe(200)
})

test('the plan bounds sockets and messages, and what was chosen on a larger one', async () => {
  await onPlan('tier_free')
  for (const changes of [{ max_concurrent_users: 201 }, { max_payload_size_in_kb: 251 }]) {
    expect(await set(changes)).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
  }
  expect((await world.ada.call('GET', url)).body).toMatchObject({
    max_concurrent_users: 200,
    max_payload_size_in_kb: 250,
    limits: { max_concurrent_users: 200, max_payload_size_in_kb: 250 },
  })
  await onPlan('tier_pro')
  expect((await set({ max_concurrent_users: 501 })).status).toBe(403)
  await onPlan('tier_payg')
  const chosen = { max_concurrent_users: 900, max_payload_size_in_kb: 3072 }
  expect(await set(chosen)).toMatchObject({ status: 200, body: chosen })
  await onPlan('tier_free')
  const { body } = await world.ada.call('GET', url)
  expect(body).toMatchObject({ max_concurrent_users: 200, max_payload_size_in_kb: 250 })
})

test('a change reaches clients that are connected, without a restart', async () => {
  const client = connect()
  expect(await joined(client.channel('open'))).toBe('SUBSCRIBED')
  await set({ private_only: true })
  const again = () => joined(client.channel(`other ${Math.random()}`))
  await expect.poll(again).toContain('PrivateOnly')
  await set({ suspend: true })
  const status = () =>
    fetch(`${world.project.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: world.project.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ topic: 'a', event: 'e', payload: {} }] }),
    }).then((answer) => answer.status)
  await expect.poll(status).toBe(403)
})

test('another plan is told to the services', async () => {
  const send = () =>
    fetch(`${world.project.url}/realtime/v1/api/broadcast`, {
      method: 'POST',
      headers: { apikey: world.project.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({
        messages: [{ topic: 'a', event: 'e', payload: 'x'.repeat(300_000) }],
      }),
    }).then((answer) => answer.status)
  await expect.poll(send).toBe(202)
  await onPlan('tier_free')
  await expect.poll(send).toBe(422)
})

test('a change is written down with what was and what is', async () => {
  await set({ max_joins_per_second: 9, max_events_per_second: 100 })
  const entry = await world.control.db
    .selectFrom('platform.audit_entries')
    .select('change')
    .where('action', '=', 'realtime.update')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(entry.change).toEqual({
    before: { max_joins_per_second: 100 },
    after: { max_joins_per_second: 9 },
  })
})

test('a token to watch with: for who may run SQL as others, as the one who is named, for minutes', async () => {
  const path = `/platform/projects/${world.ref}/realtime/token`
  const ask = (as: unknown, who = world.ada) => who.call('POST', path, { as })
  expect((await ask({ role: 'anon' }, world.stranger)).status).toBe(404)
  expect((await ask({ role: 'anon' }, world.as('Read-only'))).status).toBe(403)
  expect((await ask({ role: 'none' })).status).toBe(400)
  expect((await ask(undefined)).status).toBe(400)
  const sub = '11111111-1111-4111-8111-111111111111'
  const requested = {
    role: 'authenticated',
    claims: { sub, role: 'service_role', exp: 9999999999 },
  }
  const { body } = await ask(requested, world.as('Developer'))
  const token = String(body['token'])
  // Every token has three parts.
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  const said = JSON.parse(payload) as Record<string, unknown>
  expect(said).toMatchObject({ role: 'authenticated', sub, exp: body['expires_at'] })
  expect(Number(body['expires_at']) * 1000 - Date.now()).toBeLessThanOrEqual(600_000)
  expect(JSON.stringify(body)).not.toContain(world.project.serviceKey)
  await world.sql(`create policy "ours" on realtime.messages for select to authenticated
    using ((select auth.uid()) = '${sub}')`)
  const watching = createClient(world.project.url, String(body['api_key']), {
    accessToken: () => Promise.resolve(token),
    realtime: { transport: WebSocket as never },
  })
  clients.push(watching)
  await watching.realtime.setAuth()
  const room = { config: { private: true } }
  expect(await joined(watching.channel('room', room))).toBe('SUBSCRIBED')
  expect(await joined(connect().channel('room', room))).toContain('Unauthorized')
})
