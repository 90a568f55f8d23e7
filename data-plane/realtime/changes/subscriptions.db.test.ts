import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestDataPlane } from '../../testing/data-plane.ts'
import { Line, startRealtime } from '../../testing/realtime/client.ts'

let plane: TestDataPlane
beforeAll(async () => {
  plane = await startRealtime(
    `create table books (id int primary key); create table films (id int primary key);
     alter publication supabase_realtime add table books, films`,
  )
})
afterAll(() => plane.close())

const noted = () =>
  plane.sql(
    `select entity::text, filters, action_filter, claims_role from realtime.subscription
     order by 1, 2`,
  )

test('what is listened to stands in the database until the channel or its process is gone', async () => {
  expect(
    (await plane.sql('select version from realtime.schema_migrations')).length,
  ).toBeGreaterThan(0)
  // Left behind by a process that died.
  const service = new Client(plane.database.configFor('plinth_realtime'))
  await service.connect()
  await service.query(`insert into realtime.subscription (subscription_id, entity, claims, seen_at)
    values (gen_random_uuid(), 'books', '{"role":"anon"}', now() - interval '5 minutes')`)
  await service.end()
  const line = await Line.open(plane)
  const changes = [
    { event: 'insert', schema: 'public', table: 'books', filter: 'id=eq.1' },
    { event: '*', schema: 'public' },
  ]
  await line.join('db', { postgres_changes: changes })
  expect((await line.hearEvent('system')).payload['status']).toBe('ok')
  const anon = { claims_role: 'anon' }
  await expect.poll(noted).toEqual([
    { entity: 'books', filters: [], action_filter: '*', ...anon },
    { entity: 'books', filters: ['id=eq.1'], action_filter: 'INSERT', ...anon },
    { entity: 'films', filters: [], action_filter: '*', ...anon },
  ])
  await line.ask('realtime:db', 'phx_leave', {}, '1')
  await expect.poll(noted).toEqual([])
  line.close()
})
