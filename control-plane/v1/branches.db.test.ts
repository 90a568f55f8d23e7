import { afterAll, beforeAll, expect, test } from 'vitest'
import { V1Branch, V1BranchDetail } from '#contract/v1/v1-branches'
import { branchBench } from '../testing/branches.ts'
import { startWorld, type World } from '../testing/world.ts'

let world: World
let bench: ReturnType<typeof branchBench>
beforeAll(async () => {
  world = await startWorld()
  bench = branchBench(world)
})
afterAll(() => world.end())

test('programs name a branch by its id or by the ref of its project, and strangers learn nothing of it', async () => {
  const v1 = `/v1/projects/${world.ref}/branches`
  const refused = [{}, { branch_name: 'x', with_data: 'yes' }, { branch_name: 'a b' }]
  for (const body of refused) expect((await world.ada.call('POST', v1, body)).status).toBe(400)
  const made = await world.ada.call('POST', v1, { branch_name: 'program', git_branch: 'feat/x' })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { id, project_ref: ref } = V1Branch.parse(made.body)
  await bench.atRest(id)
  const found = await world.ada.call('GET', `${v1}/program`)
  expect(found.body).toMatchObject({ id, git_branch: 'feat/x', is_default: false })
  expect((await world.ada.call('GET', `${v1}/nobody`)).status).toBe(404)
  expect((await world.ada.call('DELETE', v1)).status).toBe(409)
  for (const key of [id, ref]) {
    const { body } = await world.ada.call('GET', `/v1/branches/${key}`)
    expect(V1BranchDetail.parse(body)).toMatchObject({ ref, status: 'ACTIVE_HEALTHY' })
    expect(body['db_pass']).toMatch(/^[\w-]{32}$/)
    // Who may not read secrets hears of none.
    const reader = await world.as('Read-only').call('GET', `/v1/branches/${key}`)
    expect([reader.status, reader.body['db_pass'], reader.body['jwt_secret']]).toEqual([
      200,
      undefined,
      undefined,
    ])
    for (const [method, end] of [
      ['GET', ''],
      ['GET', '/diff'],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/merge'],
      ['POST', '/push'],
      ['POST', '/reset'],
    ] as const) {
      const url = `/v1/branches/${key}${end}`
      expect((await world.control.app.inject({ method, url })).statusCode, url).toBe(401)
      const stranger = await world.stranger.call(method, url, {})
      expect([stranger.status, stranger.body['code']], url).toEqual([404, 'branch_not_found'])
      if (method === 'GET') continue
      expect((await world.as('Read-only').call(method, url, {})).status, url).toBe(403)
    }
  }
  await bench.change(ref, 'api', 'create table public.api (id int)')
  const text = await world.control.app.inject({
    url: `/v1/branches/${id}/diff`,
    headers: { authorization: `Bearer ${world.ada.token}` },
  })
  expect(text.payload).toMatch(/^-- \d+ api\ncreate table public\.api \(id int\);\n$/)
  const some = await world.ada.call('POST', `/v1/branches/${id}/merge`, { migration_version: '1' })
  expect(some.status).toBe(400)
  for (const deed of ['merge', 'push', 'reset']) {
    const ordered = await world.ada.call('POST', `/v1/branches/${id}/${deed}`, {})
    expect(ordered).toMatchObject({ status: 201, body: { message: 'ok' } })
    expect((await bench.atRest(id)).failure).toBeNull()
  }
  expect(await bench.tables(world.ref)).toContain('api')
  const renamed = await world.ada.call('PATCH', `/v1/branches/${ref}`, { branch_name: 'other' })
  expect(renamed.body).toMatchObject({ id, name: 'other', git_branch: 'feat/x' })
  expect((await world.ada.call('DELETE', `/v1/branches/${id}`)).body).toEqual({ message: 'ok' })
  expect((await world.ada.call('GET', `/v1/branches/nobody`)).status).toBe(404)
})
