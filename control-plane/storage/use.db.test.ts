import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyedRef, startKeyedPlane, type KeyedPlane } from '../keys-testing.ts'
import { internalToken } from '../testing.ts'

let world: KeyedPlane
const url = `/platform/storage/${keyedRef}/use`
const today = new Date().toISOString().slice(0, 10)
beforeAll(async () => {
  world = await startKeyedPlane()
})
afterAll(() => world?.end())

const tell = async (uses: object[], token = internalToken) => {
  const { app } = world.plane
  const headers = { authorization: `Bearer ${token}` }
  const path = '/internal/storage-use'
  return (await app.inject({ method: 'POST', url: path, headers, payload: { uses } })).statusCode
}
const use = (egress: number, renders: number, more: object = {}) => ({
  ref: keyedRef,
  day: today,
  egress,
  renders,
  ...more,
})

test.each([
  ['nothing', []],
  ['less than nothing', [use(-1, 0)]],
  ['half a byte', [use(0.5, 0)]],
  ['a day that there is not', [use(1, 0, { day: '2026-02-31' })]],
  ['a day in words', [use(1, 0, { day: 'today' })]],
])('%s is refused', async (_, uses) => {
  expect(await tell(uses)).toBe(400)
})

test('only our own programs tell, and only members see', async () => {
  expect(await tell([use(1, 1)], 'x')).toBe(401)
  expect((await world.plane.app.inject({ method: 'GET', url })).statusCode).toBe(401)
  expect(await world.stranger.call('GET', url)).toMatchObject({ status: 404 })
  expect(await world.memberAs('Read-only').call('GET', url)).toMatchObject({ status: 200 })
})

test('counts of a day add up, also within one message; other months and projects stay out', async () => {
  expect(await tell([use(1000, 1), use(20, 2)])).toBe(200)
  expect(await tell([use(3, 0), use(7, 7, { ref: 'z'.repeat(20) })])).toBe(200)
  expect(await tell([use(500, 5, { day: '2020-01-01' })])).toBe(200)
  expect((await world.ada.call('GET', url)).body).toMatchObject({
    egress_bytes: 1023,
    rendered_images: 3,
  })
  const rows = await sql`select from platform.storage_use`.execute(world.plane.db)
  expect(rows.rows).toHaveLength(2)
})

test.each([
  ['tier_free', { stored_bytes: 1024 ** 3, egress_bytes: 5 * 1024 ** 3, rendered_images: 0 }],
  ['tier_pro', { stored_bytes: 100 * 1024 ** 3, rendered_images: 100 }],
  ['tier_enterprise', { stored_bytes: null, egress_bytes: null, rendered_images: null }],
])('%s includes %o', async (tier, included) => {
  await sql`update platform.organizations set tier = ${tier}`.execute(world.plane.db)
  expect((await world.ada.call('GET', url)).body).toMatchObject({ included })
})
