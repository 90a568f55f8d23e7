import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHooks } from '../testing/webhooks/hooks-plane.ts'

/** Tables that the services own: the owner of the database hangs webhooks on them by the right to make triggers, and by no other. */
let hooks: Awaited<ReturnType<typeof startHooks>>
beforeAll(async () => {
  hooks = await startHooks({ setup: '' })
})
afterAll(() => hooks.close())

const ask = (path: string, key: string, body: object | string) =>
  fetch(`${hooks.plane.url}${path}`, {
    method: 'POST',
    headers: {
      apikey: key,
      authorization: `Bearer ${key}`,
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const told = async (table: string) => {
  const found = () =>
    (
      hooks.receiver.bodies() as { table: string; type: string; record: Record<string, unknown> }[]
    ).filter((body) => body.table === table)
  await expect.poll(() => found().length).toBeGreaterThan(0)
  return found()
}

test('a new user of the project is told of', async () => {
  const { anonKey } = hooks.plane.project
  // The first request makes the tables.
  await fetch(`${hooks.plane.url}/auth/v1/settings`, { headers: { apikey: anonKey } })
  await hooks.hook('user_made', 'auth.users')
  const made = await ask('/auth/v1/signup', anonKey, {
    email: 'a@example.com',
    password: 'a long pass word 1',
  })
  expect(made.status).toBe(200)
  expect((await told('users'))[0]).toMatchObject({
    type: 'INSERT',
    record: { email: 'a@example.com' },
  })
})

test('an object that is stored is told of', async () => {
  const { serviceKey } = hooks.plane.project
  await hooks.hook('object_made', 'storage.objects')
  expect((await ask('/storage/v1/bucket', serviceKey, { name: 'files', id: 'files' })).status).toBe(
    200,
  )
  expect((await ask('/storage/v1/object/files/a.txt', serviceKey, 'hello')).status).toBe(200)
  expect((await told('objects'))[0]).toMatchObject({
    record: { name: 'a.txt', bucket_id: 'files' },
  })
})

test.each(['alter table auth.users disable trigger all', 'drop table auth.users'])(
  'it is no way to more: %s is refused',
  async (sql) => {
    await expect(hooks.sql(`begin; ${sql}`)).rejects.toThrow(/must be owner|permission denied/)
    await hooks.sql('rollback')
  },
)
