import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { internalToken } from '../../testing/control-plane.ts'
import { startStorageWorld, type StorageWorld } from '../../testing/storage.ts'

let world: StorageWorld
beforeAll(async () => {
  world = await startStorageWorld()
})
afterAll(() => world.planes.end())

async function operator(method: 'GET' | 'DELETE', ref: string, more = {}) {
  const answer = await world.planes.plane.app.inject({
    method,
    url: `/internal/orphans/objects/${ref}`,
    headers: { authorization: `Bearer ${internalToken}` },
    ...more,
  })
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }
}

test('stored files that no row names are counted, and removed by the word of the operator', async () => {
  const { ref, plane } = world.planes
  for (const method of ['GET', 'DELETE'] as const) {
    expect(await operator(method, 'z'.repeat(20))).toMatchObject({ status: 404 })
    // What is younger than a day may be an upload that is under way.
    expect(await operator(method, ref)).toEqual({ status: 200, body: { count: 0 } })
  }
  const said = await plane.db
    .selectFrom('platform.audit_entries')
    .select(['target', 'change'])
    .where('action', '=', 'orphans.removeObjects')
    .execute()
  expect(said).toEqual([{ target: `project:${ref}`, change: { before: { count: 0 } } }])
})

test('no garbage makes it fail with a 5xx', async () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('\0', '..', '%00', '🦄', "';--"))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET' as const, 'DELETE' as const),
      fc.oneof(text, fc.constant(world.planes.ref)),
      fc.dictionary(fc.constantFrom('ref', 'id', 'limit'), fc.oneof(text, fc.jsonValue())),
      async (method, ref, payload) => {
        const path = encodeURIComponent(Buffer.from(ref).toString())
        const { status } = await operator(method, path, method === 'GET' ? {} : { payload })
        expect(status, `${method} ${ref}`).toBeLessThan(500)
      },
    ),
    { numRuns: 150 },
  )
})
