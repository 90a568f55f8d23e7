import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { TrashedProject } from '#contract/projects/trash'
import { branchBench } from '../../testing/branches.ts'
import { startWorld, type World } from '../../testing/world.ts'

const list = '/platform/organizations/acme/trash'

let world: World
let bench: ReturnType<typeof branchBench>
beforeAll(async () => {
  world = await startWorld('', { trashDays: 30 })
  bench = branchBench(world)
  await bench.change(world.ref, 'books', 'create table public.books (id int primary key)')
})
afterAll(() => world.end())

const status = async (ref: string) =>
  (
    await world.control.db
      .selectFrom('platform.projects')
      .select('status')
      .where('ref', '=', ref)
      .executeTakeFirstOrThrow()
  ).status
const reaches = (ref: string, wanted: string) =>
  expect.poll(() => status(ref), { timeout: 60_000, interval: 25 }).toBe(wanted)
const trashed = async () =>
  TrashedProject.array().parse((await world.ada.call('GET', list)).body['projects'])
const restore = (ref: string, who = world.ada) => who.call('POST', `${list}/${ref}/restore`)
const removeNow = (ref: string, who = world.ada) => who.call('DELETE', `${list}/${ref}`)

test('a branch comes back with its rows and its standing; who develops may bring it back', async () => {
  const branch = await bench.make('next')
  const { project_ref: ref } = branch
  await bench.sqlOf(ref, 'insert into books values (7)')
  const developer = world.as('Developer')
  expect((await developer.call('DELETE', `${bench.path}/${branch.id}`)).status).toBe(200)
  await reaches(ref, 'REMOVED')
  expect((await bench.list()).map(({ name }) => name)).toEqual(['main'])
  expect(await trashed()).toMatchObject([
    {
      ref,
      branch: { name: 'next', parent_ref: world.ref, parent_name: 'Books', parent_deleted: false },
      deleted_by: 'developer@example.com',
    },
  ])
  expect((await restore(ref, world.as('Read-only'))).status).toBe(403)
  expect((await restore(ref, developer)).status).toBe(200)
  await reaches(ref, 'ACTIVE_HEALTHY')
  const back = (await bench.list()).find(({ name }) => name === 'next')
  expect(back).toMatchObject({ id: branch.id, project_ref: ref, busy: false, failure: null })
  expect(
    await vi.waitFor(() => bench.sqlOf(ref, 'select id from books'), { timeout: 60_000 }),
  ).toEqual([{ id: 7 }])
  await world.ada.call('DELETE', `${bench.path}/${branch.id}`)
  await reaches(ref, 'REMOVED')
})

test('its name is free meanwhile; who has taken it has to be renamed first', async () => {
  const [old] = await trashed()
  const ref = old?.ref ?? ''
  const other = await bench.make('Next')
  expect(await restore(ref)).toMatchObject({ status: 409, body: { code: 'name_taken' } })
  const renamed = await world.ada.call('PATCH', `${bench.path}/${other.id}`, { name: 'other' })
  expect(renamed.status).toBe(200)
  await world.ada.call('PATCH', `/platform/projects/${other.project_ref}`, { name: 'Else' })
  expect((await restore(ref)).status).toBe(200)
  await reaches(ref, 'ACTIVE_HEALTHY')
  expect((await bench.list()).map(({ name }) => name)).toEqual(['main', 'next', 'other'])
  for (const one of [ref, other.project_ref]) {
    expect((await world.ada.call('DELETE', `/platform/projects/${one}`)).status).toBe(200)
    await reaches(one, 'REMOVED')
  }
})

test('without its project a branch waits, and goes for good with it', async () => {
  const before = await trashed()
  expect(before.map(({ branch }) => branch?.name)).toEqual(['other', 'next'])
  expect((await world.ada.call('DELETE', `/platform/projects/${world.ref}`)).status).toBe(200)
  await reaches(world.ref, 'REMOVED')
  const [main, ...branches] = await trashed()
  expect(main).toMatchObject({ ref: world.ref, branch: null, branches: 2 })
  expect(branches).toMatchObject([
    { branch: { parent_deleted: true } },
    { branch: { parent_deleted: true } },
  ])
  const first = branches[0]?.ref ?? ''
  expect(await restore(first)).toMatchObject({
    status: 409,
    body: { code: 'parent_deleted', message: 'Restore Books first: this is a branch of it' },
  })
  expect((await restore(world.ref)).status).toBe(200)
  await reaches(world.ref, 'ACTIVE_HEALTHY')
  expect((await restore(first)).status).toBe(200)
  await reaches(first, 'ACTIVE_HEALTHY')
  for (const one of [first, world.ref]) {
    expect((await world.ada.call('DELETE', `/platform/projects/${one}`)).status).toBe(200)
    await reaches(one, 'REMOVED')
  }
  expect((await removeNow(world.ref)).status).toBe(200)
  await expect.poll(trashed).toEqual([])
  expect(await world.control.compute.list()).toEqual([])
})
