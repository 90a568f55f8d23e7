import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Branch } from '#contract/projects/branches'
import type { RoleName } from '#contract/permissions'
import { branchBench } from '../../../testing/branches.ts'
import { startWorld, type World } from '../../../testing/world.ts'

let world: World
let bench: ReturnType<typeof branchBench>
let base: string
beforeAll(async () => {
  world = await startWorld()
  bench = branchBench(world)
  base = `/platform/projects/${world.ref}/merge-requests`
})
afterAll(() => world.end())

const rename = (branch: Branch, name: string) =>
  bench.change(branch.project_ref, name, `create table public.${name} (id int)`)
const merge = ({ id }: Branch, role: RoleName = 'Owner') =>
  world.as(role).call('POST', `${bench.path}/${id}/merge`)
const digest = async ({ id }: Branch) =>
  (await world.ada.call('GET', `${bench.path}/${id}/difference`)).body['digest']
const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body['code'],
]
async function need(merge_approvals: number) {
  const settings = { pause_after_hours: 24, masks: [], merge_approvals }
  const path = `/platform/projects/${world.ref}/branch-settings`
  expect((await world.ada.call('PUT', path, settings)).status).toBe(200)
}
async function request(branch: Branch, role: RoleName = 'Developer', reviewers: string[] = []) {
  const body = { branch_id: branch.id, title: `Merge ${branch.name}`, reviewers }
  const made = await world.as(role).call('POST', base, body)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return String(made.body['id'])
}
const review = async (id: string, branch: Branch, verdict: string, role: RoleName = 'Owner') =>
  world.as(role).call('POST', `${base}/${id}/reviews`, { verdict, digest: await digest(branch) })
const stateOf = async (id: string) => {
  const { body } = await world.ada.call('GET', base)
  return (body['requests'] as { id: string; state: string }[]).find((one) => one.id === id)?.state
}

test('strangers see nothing, who may only read comments at most, and bad input is refused', async () => {
  const branch = await bench.make('refusals')
  const id = await request(branch)
  const one = `${base}/${id}`
  const someDigest = await digest(branch)
  const calls = [
    ['GET', base, undefined, 200],
    ['GET', `/platform/projects/${world.ref}/merge-reviewers`, undefined, 200],
    ['POST', base, { branch_id: branch.id, title: 'Again' }, 403],
    ['PATCH', one, { title: 'Another' }, 403],
    ['GET', `${one}/notes`, undefined, 200],
    ['POST', `${one}/notes`, { body: 'Looks good' }, 201],
    ['POST', `${one}/reviews`, { verdict: 'approved', digest: someDigest }, 403],
  ] as const
  for (const [method, url, body, forReaders] of calls) {
    expect((await world.control.app.inject({ method, url })).statusCode, url).toBe(401)
    expect((await world.stranger.call(method, url, body)).status, url).toBe(404)
    const reader = await world.as('Read-only').call(method, url, body)
    expect(reader.status, `${method} ${url}`).toBe(forReaders)
  }
  const none = '00000000-0000-4000-8000-000000000000'
  const { ada } = world
  const reader = world.as('Read-only').userId
  for (const [method, url, body] of [
    ['POST', base, { branch_id: branch.id, title: ' ' }],
    ['POST', base, { branch_id: 'main', title: 'x' }],
    ['POST', base, { branch_id: branch.id, title: 'x', reviewers: [reader] }],
    ['POST', base, { branch_id: branch.id, title: 'x', reviewers: [none] }],
    ['POST', base, { branch_id: branch.id, title: 'x', reviewers: [ada.userId] }],
    ['PATCH', one, { reviewers: [world.as('Developer').userId] }],
    ['PATCH', one, { state: 'merged' }],
    ['PATCH', `${base}/nothing`, { title: 'x' }],
    ['POST', `${one}/notes`, { body: '' }],
    ['POST', `${one}/reviews`, { verdict: 'maybe', digest: someDigest }],
  ] as const)
    expect((await ada.call(method, url, body)).status, `${method} ${JSON.stringify(body)}`).toBe(
      400,
    )
  const absent = await ada.call('POST', base, { branch_id: none, title: 'x' })
  expect(codeOf(absent)).toEqual([404, 'branch_not_found'])
  expect((await ada.call('GET', `${base}/${none}/notes`)).status).toBe(404)
  const again = await ada.call('POST', base, { branch_id: branch.id, title: 'Again' })
  expect(codeOf(again)).toEqual([409, 'merge_request_open'])
  expect(codeOf(await review(id, branch, 'approved', 'Developer'))).toEqual([
    409,
    'own_merge_request',
  ])
  const stale = { verdict: 'approved', digest: 'of something else' }
  expect(codeOf(await ada.call('POST', `${one}/reviews`, stale))).toEqual([409, 'branch_changed'])
  expect((await ada.call('PATCH', one, { state: 'closed' })).body).toMatchObject({
    state: 'closed',
  })
  expect(codeOf(await ada.call('PATCH', one, { title: 'x' }))).toEqual([
    409,
    'merge_request_closed',
  ])
  expect(codeOf(await review(id, branch, 'approved'))).toEqual([409, 'merge_request_closed'])
  const settings = { pause_after_hours: 24, masks: [], merge_approvals: 1 }
  const path = `/platform/projects/${world.ref}/branch-settings`
  expect((await world.as('Developer').call('PUT', path, settings)).status).toBe(403)
  expect((await ada.call('PUT', path, { ...settings, merge_approvals: 11 })).status).toBe(400)
})

test('without enough approvals of what the branch has now it is merged by nobody, in no way', async () => {
  await need(1)
  // Who names no number changes none.
  const path = `/platform/projects/${world.ref}/branch-settings`
  const kept = await world.ada.call('PUT', path, { pause_after_hours: null, masks: [] })
  expect(kept.body).toMatchObject({ merge_approvals: 1 })
  const branch = await bench.make('guarded')
  await rename(branch, 'first')
  expect(codeOf(await merge(branch))).toEqual([409, 'approvals_missing'])
  const byProgram = await world.ada.call('POST', `/v1/branches/${branch.id}/merge`, {})
  expect(byProgram.status).toBe(409)

  const administrator = world.as('Administrator')
  const id = await request(branch, 'Developer', [administrator.userId])
  expect(codeOf(await merge(branch))).toEqual([409, 'approvals_missing'])
  const news = await administrator.call('GET', '/platform/notifications')
  expect(JSON.stringify(news.body)).toContain('You are asked to review guarded')
  expect((await review(id, branch, 'approved', 'Administrator')).status).toBe(201)
  // What comes afterwards was approved by nobody.
  await rename(branch, 'second')
  const stale = await merge(branch)
  expect(stale.body['message']).toBe(
    'Merging needs an approval of what the branch has now. It has 0',
  )
  expect((await review(id, branch, 'approved', 'Administrator')).status).toBe(201)
  expect((await review(id, branch, 'changes_requested')).status).toBe(201)
  expect((await merge(branch)).body['message']).toBe('A reviewer has requested changes')
  expect((await review(id, branch, 'approved')).status).toBe(201)

  // One who may not merge any more has approved nothing.
  await need(2)
  const demote = (role: RoleName) =>
    world.control.db
      .updateTable('platform.members')
      .set({ role })
      .where('user_id', '=', administrator.userId)
      .execute()
  await demote('Read-only')
  expect(codeOf(await merge(branch))).toEqual([409, 'approvals_missing'])
  await demote('Administrator')

  expect((await merge(branch, 'Developer')).status).toBe(201)
  expect((await bench.atRest(branch.id)).failure).toBeNull()
  expect(await bench.tables(world.ref)).toEqual(expect.arrayContaining(['first', 'second']))
  expect(await stateOf(id)).toBe('merged')
  await need(0)
})

test('what is left of an approved merge that stopped halfway needs no new approval', async () => {
  await need(1)
  const branch = await bench.make('halfway')
  await rename(branch, 'good')
  await rename(branch, 'taken')
  const id = await request(branch)
  await review(id, branch, 'approved')
  await bench.sqlOf(world.ref, 'create table public.taken (id int)')
  expect((await merge(branch)).status).toBe(201)
  expect((await bench.atRest(branch.id)).failure).toMatch(/taken/)
  await bench.sqlOf(world.ref, 'drop table public.taken')
  expect((await merge(branch)).status).toBe(201)
  expect((await bench.atRest(branch.id)).failure).toBeNull()
  expect(await stateOf(id)).toBe('merged')
  await need(0)
})

test('a branch that is deleted closes its request', async () => {
  const branch = await bench.make('deleted')
  await request(branch)
  expect((await world.ada.call('DELETE', `${bench.path}/${branch.id}`)).status).toBe(200)
  const open = () =>
    world.control.db
      .selectFrom('platform.merge_requests')
      .select('id')
      .where('branch_id', '=', branch.id)
      .where('state', '=', 'open')
      .execute()
  await expect.poll(open, { timeout: 30_000 }).toEqual([])
})
