import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyedRef, startKeyedPlane, type KeyedPlane } from '../../testing/keys.ts'
import { internalToken } from '../../testing/control-plane.ts'

let world: KeyedPlane
const url = `/platform/storage/${keyedRef}/use`
const today = new Date().toISOString().slice(0, 10)
beforeAll(async () => {
  world = await startKeyedPlane()
})
afterAll(() => world?.end())

const report = async (uses: object[], token = internalToken) => {
  const { app } = world.plane
  const headers = { authorization: `Bearer ${token}` }
  const path = '/internal/storage-use'
  return (await app.inject({ method: 'POST', url: path, headers, payload: { uses } })).statusCode
}
const use = (egress: number, more: object = {}) => ({ ref: keyedRef, day: today, egress, ...more })
const image = (digit: number, more: object = {}) =>
  use(0, { origin: '11111111-1111-4111-8111-11111111111'.concat(String(digit)), ...more })

test.each([
  ['nothing', []],
  ['less than nothing', [use(-1)]],
  ['half a byte', [use(0.5)]],
  ['a day that there is not', [use(1, { day: '2026-02-31' })]],
  ['an image without a name of its own', [use(0, { origin: 'red.png' })]],
  ['a day in words', [use(1, { day: 'today' })]],
])('%s is refused', async (_, uses) => {
  expect(await report(uses)).toBe(400)
})

test('only our own programs tell, and only members see', async () => {
  expect(await report([use(1)], 'x')).toBe(401)
  expect((await world.plane.app.inject({ method: 'GET', url })).statusCode).toBe(401)
  expect(await world.stranger.call('GET', url)).toMatchObject({ status: 404 })
  expect(await world.memberAs('Read-only').call('GET', url)).toMatchObject({ status: 200 })
})

test('counts of a day add up and images count once, also within one message; other months and projects stay out', async () => {
  expect(await report([use(1000), use(20), image(1), image(2), image(1)])).toBe(200)
  const elsewhere = { ref: 'z'.repeat(20) }
  expect(await report([use(3), image(2), image(3), use(7, elsewhere), image(4, elsewhere)])).toBe(
    200,
  )
  const before = { day: '2020-01-01' }
  expect(await report([use(500, before), image(5, before)])).toBe(200)
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
