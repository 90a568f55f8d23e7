import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { internalToken, startControlPlane } from '../../testing/control-plane.ts'
import type { TestControlPlane } from '../../testing/control-plane.ts'

let plane: TestControlPlane
beforeAll(async () => {
  plane = await startControlPlane()
})
afterAll(() => plane.end())

const keyOf = (text: string) => createHash('sha256').update(text).digest('hex')
const send = (payload: object, token = internalToken) =>
  plane.app.inject({
    method: 'POST',
    url: '/internal/rate-counts',
    headers: { authorization: `Bearer ${token}` },
    payload,
  })
const count = async (key: string, more: object = {}) => {
  const answer = await send({ key: keyOf(key), points: 3, seconds: 60, ...more })
  expect(answer.statusCode).toBe(200)
  return (answer.json() as { wait: number | null }).wait
}
const expire = (key: string) =>
  sql`update platform.rate_counts set until = clock_timestamp() - interval '1 s' where key = ${keyOf(key)}`.execute(
    plane.db,
  )

test('it is for programs of the installation', async () => {
  const asked = { key: keyOf('a'), points: 3, seconds: 60 }
  expect((await send(asked, 'wrong')).statusCode).toBe(401)
})

test.each([
  { key: 'ada@example.com' },
  { key: keyOf('a').toUpperCase() },
  { points: 0 },
  { points: 1.5 },
  { seconds: 0 },
  { seconds: 86_401 },
  { gives_back: 'yes' },
])('%j is refused', async (wrong) => {
  const answer = await send({ key: keyOf('a'), points: 3, seconds: 60, ...wrong })
  expect(answer.statusCode).toBe(400)
})

test('the fourth of three has to wait until the time of the first is over', async () => {
  for (let n = 0; n < 3; n += 1) expect(await count('one')).toBeNull()
  const wait = await count('one')
  expect(wait).toBeGreaterThan(50)
  expect(wait).toBeLessThanOrEqual(60)
  expect(await count('another')).toBeNull()
  await expire('one')
  for (let n = 0; n < 3; n += 1) expect(await count('one')).toBeNull()
  expect(await count('one')).not.toBeNull()
})

test('what is given back can be tried again, and no more than was tried', async () => {
  for (let n = 0; n < 3; n += 1) await count('given')
  await count('given', { gives_back: true })
  expect(await count('given')).toBeNull()
  for (let n = 0; n < 9; n += 1) await count('given', { gives_back: true })
  for (let n = 0; n < 3; n += 1) expect(await count('given')).toBeNull()
  expect(await count('given')).not.toBeNull()
  await count('nobody knows', { gives_back: true })
})

test('of fifty at the same moment so many go through as may', async () => {
  const waits = await Promise.all(Array.from({ length: 50 }, () => count('crowd', { points: 10 })))
  expect(waits.filter((wait) => wait === null)).toHaveLength(10)
})

test('what is over is forgotten', async () => {
  await count('old')
  await count('young')
  await expire('old')
  const round = plane.rounds.find(({ name }) => name === 'limits that are over')
  await round?.run()
  const { rows } = await sql<{ key: string }>`select key from platform.rate_counts`.execute(
    plane.db,
  )
  const keys = rows.map(({ key }) => key)
  expect(keys).toContain(keyOf('young'))
  expect(keys).not.toContain(keyOf('old'))
})
