import { afterAll, beforeAll, expect, test } from 'vitest'
import { BranchDifference, BranchStep, maxBranches } from '#contract/projects/branches'
import { branchBench } from '../../testing/branches.ts'
import { newcomer } from '../../testing/people.ts'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let bench: ReturnType<typeof branchBench>
let path: string
beforeAll(async () => {
  world = await startWorld()
  bench = branchBench(world)
  path = bench.path
  await bench.change(world.ref, 'books', 'create table public.books (id int primary key)')
})
afterAll(() => world.end())

const order = (id: string, deed: 'pull' | 'merge' | 'reset') =>
  world.ada.call('POST', `${path}/${id}/${deed}`)
async function done(id: string, deed: 'pull' | 'merge' | 'reset') {
  const ordered = await order(id, deed)
  expect(ordered.status, JSON.stringify(ordered.body)).toBe(201)
  return bench.atRest(id)
}
const difference = async (id: string) =>
  BranchDifference.parse((await world.ada.call('GET', `${path}/${id}/difference`)).body)
const steps = async (id: string) =>
  BranchStep.array()
    .parse((await world.ada.call('GET', `${path}/${id}/steps`)).body['steps'])
    .map(({ message }) => message)

/** The active version of a function, as a deployment leaves it. */
async function deploy(ref: string, slug: string, text: string) {
  const { db } = world.control
  const { id: project } = await db
    .selectFrom('platform.projects')
    .select('id')
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow()
  const known = await db
    .selectFrom('platform.functions')
    .selectAll()
    .where('project_id', '=', project)
    .where('slug', '=', slug)
    .executeTakeFirst()
  const row =
    known ??
    (await db
      .insertInto('platform.functions')
      .values({ project_id: project, slug, name: slug })
      .returningAll()
      .executeTakeFirstOrThrow())
  const version = row.last_version + 1
  const made = await db
    .insertInto('platform.function_versions')
    .values({
      function_id: row.id,
      version,
      entrypoint_path: 'index.ts',
      import_map_path: null,
      sha256: text,
      bytes: text.length,
      deployed_by: 'somebody',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('platform.function_files')
    .values({ version_id: made.id, path: 'index.ts', content: Buffer.from(text) })
    .execute()
  await db
    .updateTable('platform.functions')
    .set({ version, last_version: version })
    .where('id', '=', row.id)
    .execute()
}
async function functionsOf(ref: string) {
  const { body } = await world.ada.call('GET', `/v1/projects/${ref}/functions`)
  const rows = Object.values(body) as { slug: string; ezbr_sha256: string }[]
  return rows.map(({ slug, ezbr_sha256: text }) => `${slug}: ${text}`)
}

test('strangers see nothing, who may only read changes nothing, and bad input is refused', async () => {
  const branch = await bench.make('refusals')
  const one = `${path}/${branch.id}`
  const calls = [
    ['GET', path, undefined],
    ['POST', path, { name: 'next' }],
    ['PATCH', one, { name: 'next' }],
    ['GET', `${one}/steps`, undefined],
    ['GET', `${one}/difference`, undefined],
    ['POST', `${one}/pull`, undefined],
    ['POST', `${one}/merge`, undefined],
    ['POST', `${one}/reset`, undefined],
    ['DELETE', one, undefined],
  ] as const
  for (const [method, url, body] of calls) {
    expect((await world.control.app.inject({ method, url })).statusCode, url).toBe(401)
    expect((await world.stranger.call(method, url, body)).status, url).toBe(404)
    const reader = await world.as('Read-only').call(method, url, body)
    expect(reader.status, `${method} ${url}`).toBe(method === 'GET' ? 200 : 403)
  }
  for (const name of ['', ' ', 'main', 'Main', 'a b', 'a'.repeat(61), "x'; drop", 4])
    expect((await world.ada.call('POST', path, { name })).status, String(name)).toBe(400)
  const taken = await world.ada.call('POST', path, { name: 'Refusals' })
  expect([taken.status, taken.body['message']]).toEqual([409, 'There is a branch called Refusals'])
  const nobody = `${path}/00000000-0000-4000-8000-000000000000`
  expect((await world.ada.call('GET', `${nobody}/steps`)).status).toBe(404)
  expect((await world.ada.call('POST', `${nobody}/merge`)).status).toBe(404)
  expect((await world.ada.call('POST', `${path}/no-id/merge`)).status).toBe(400)
  expect((await world.ada.call('DELETE', one)).status).toBe(200)
})

test('a branch is a project of its own with what main has; its parent lists it, and it counts as its parent', async () => {
  await deploy(world.ref, 'hello', 'first')
  const branch = await bench.make('feature/one')
  expect(branch).toMatchObject({
    name: 'feature/one',
    parent_project_ref: world.ref,
    is_default: false,
    status: 'FUNCTIONS_DEPLOYED',
    preview_project_status: 'ACTIVE_HEALTHY',
    failure: null,
  })
  const ref = branch.project_ref
  expect(ref).not.toBe(world.ref)
  expect(await bench.tables(ref)).toEqual(['books'])
  expect(await functionsOf(ref)).toEqual(['hello: first'])
  expect((await steps(branch.id)).join('\n')).toMatch(
    /Function hello was deployed\nMigration \d+ books was run/,
  )
  // Asked of the branch, the list is that of its parent.
  expect((await bench.list(ref)).map(({ name }) => name)).toEqual(['main', 'feature/one'])
  const { body } = await world.ada.call('GET', `/platform/projects/${ref}`)
  expect(body).toMatchObject({ parent_project_ref: world.ref, name: 'Books / feature/one' })
  const projects = (await world.ada.call('GET', '/platform/projects')).body['projects']
  expect(projects).toMatchObject([{ ref: world.ref, preview_branch_refs: [ref] }])

  // What it runs is told apart from what its project runs, and is on the invoice once.
  const used = await world.control.db
    .selectFrom('platform.compute_usage')
    .select(['project_ref', 'branch_of'])
    .where('project_ref', 'in', [ref, world.ref])
    .orderBy('id')
    .execute()
  expect(used).toEqual([
    { project_ref: world.ref, branch_of: null },
    { project_ref: ref, branch_of: world.ref },
  ])
  const upcoming = await world.ada.call(
    'GET',
    '/platform/organizations/acme/billing/invoices/upcoming',
  )
  const lines = upcoming.body['lines'] as { kind: string; description: string }[]
  expect(lines.filter(({ description }) => description.includes('feature/one'))).toEqual([])
  expect(lines.filter(({ kind }) => kind === 'branches')).toMatchObject([
    { description: 'Branches, Books', project_ref: world.ref, unit: 'hour' },
  ])

  // A role for the project alone is one for its branches.
  const guest = await newcomer(world.control, 'guest')
  const { organization_id: organization, id: project } = await world.control.db
    .selectFrom('platform.projects')
    .select(['organization_id', 'id'])
    .where('ref', '=', world.ref)
    .executeTakeFirstOrThrow()
  await world.control.db
    .insertInto('platform.members')
    .values({ organization_id: organization, user_id: guest.userId, role: null })
    .execute()
  expect((await guest.call('GET', `/platform/projects/${ref}`)).status).toBe(404)
  const role = await world.control.db
    .insertInto('platform.project_roles')
    .values({ organization_id: organization, user_id: guest.userId, base_role: 'Developer' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await world.control.db
    .insertInto('platform.project_role_projects')
    .values({ role_id: role.id, project_id: project, user_id: guest.userId })
    .execute()
  expect((await guest.call('GET', `/platform/projects/${ref}`)).status).toBe(200)
  expect((await guest.call('GET', `/v1/projects/${ref}/database/migrations`)).status).toBe(200)
  expect((await guest.call('DELETE', `/platform/projects/${ref}`)).status).toBe(403)

  for (const one of [world.ref, ref]) {
    const preview = await world.ada.call('POST', `/platform/projects/${one}/transfer/preview`, {
      target_organization_slug: 'acme',
    })
    expect(preview.body['errors']).toContainEqual(expect.objectContaining({ key: 'has_branches' }))
  }

  // Who deletes a project deletes its branches before.
  const early = await world.ada.call('DELETE', `/platform/projects/${world.ref}`)
  expect([early.status, early.body['code']]).toEqual([409, 'has_branches'])
  expect((await world.ada.call('DELETE', `${path}/${branch.id}`)).status).toBe(200)
  await expect.poll(async () => (await bench.list()).map(({ name }) => name)).toEqual(['main'])
  await expect
    .poll(async () => (await world.ada.call('GET', `/platform/projects/${ref}`)).status)
    .toBe(404)
})

test('what a branch has goes into main, and what main has into the branch, each once and in its order', async () => {
  const branch = await bench.make('shop')
  const ref = branch.project_ref
  await bench.change(ref, 'orders', 'create table public.orders (id int primary key)')
  await bench.change(ref, 'lines', 'create table public.lines (id int references public.orders)')
  await bench.sqlOf(ref, 'create table public.unrecorded (id int)')
  await deploy(ref, 'pay', 'one')
  expect(await difference(branch.id)).toMatchObject({
    migrations: [{ name: 'orders' }, { name: 'lines' }],
    missing: [],
    functions: [{ slug: 'pay', change: 'added' }],
    conflicts: [],
    unrecorded: 1,
  })
  expect(await done(branch.id, 'merge')).toMatchObject({
    status: 'FUNCTIONS_DEPLOYED',
    failure: null,
  })
  expect(await bench.tables(world.ref)).toEqual(['books', 'lines', 'orders'])
  expect(await functionsOf(world.ref)).toContain('pay: one')
  expect(await difference(branch.id)).toMatchObject({ migrations: [], missing: [], functions: [] })
  // Once more changes nothing.
  await done(branch.id, 'merge')
  expect(await steps(branch.id)).toContain('No migration was missing')

  await bench.change(world.ref, 'authors', 'create table public.authors (id int primary key)')
  // Both may be of this second, and nobody waits here for the next one.
  await bench.sqlOf(
    world.ref,
    `update supabase_migrations.schema_migrations set version = '20200101000000' where name = 'authors'`,
  )
  await bench.change(ref, 'reviews', 'create table public.reviews (id int primary key)')
  const behind = await order(branch.id, 'merge')
  expect([behind.status, behind.body['code']]).toEqual([409, 'branch_behind'])
  expect(await difference(branch.id)).toMatchObject({ missing: [{ name: 'authors' }] })
  await done(branch.id, 'pull')
  await done(branch.id, 'merge')
  expect(await bench.tables(world.ref)).toEqual(['authors', 'books', 'lines', 'orders', 'reviews'])
  expect(await bench.tables(ref)).toContain('authors')
})

test('two migrations of the same version are told apart, and neither is lost', async () => {
  const branch = await bench.make('clash')
  const mark = (ref: string, table: string) =>
    bench.sqlOf(
      ref,
      `insert into supabase_migrations.schema_migrations (version, name, statements)
       values ('20210101000000', 'x', array['create table public.${table} (id int)'])`,
    )
  await mark(world.ref, 'of_main')
  await mark(branch.project_ref, 'of_branch')
  expect(await difference(branch.id)).toMatchObject({ clashes: ['20210101000000'] })
  for (const deed of ['pull', 'merge'] as const) {
    const refused = await order(branch.id, deed)
    expect([refused.status, refused.body['code']]).toEqual([409, 'branch_clash'])
  }
  for (const ref of [world.ref, branch.project_ref])
    await bench.sqlOf(ref, `delete from supabase_migrations.schema_migrations where name = 'x'`)
})

test('a migration that main refuses leaves main as it was, and the merge goes on once it can', async () => {
  const branch = await bench.make('refused')
  const ref = branch.project_ref
  await bench.change(ref, 'good', 'create table public.good (id int)')
  await bench.change(
    ref,
    'bad',
    'create table public.taken (id int)',
    'insert into public.taken values (1)',
  )
  await bench.change(ref, 'after', 'create table public.after (id int)')
  // Made without a migration, so the branch does not know of it.
  await bench.sqlOf(world.ref, 'create table public.taken (id int)')
  const failed = await done(branch.id, 'merge')
  expect(failed.status).toBe('MIGRATIONS_FAILED')
  expect(failed.failure).toMatch(/^Migration \d+ bad failed: .*"taken" already exists/)
  const now = await bench.tables(world.ref)
  expect([now.includes('good'), now.includes('after')]).toEqual([true, false])
  expect(await bench.sqlOf(world.ref, 'select * from public.taken')).toEqual([])
  await bench.sqlOf(world.ref, 'drop table public.taken')
  expect((await done(branch.id, 'merge')).failure).toBeNull()
  expect(await bench.tables(world.ref)).toEqual(expect.arrayContaining(['after', 'good', 'taken']))
})

test('a function that was changed on both sides is named, and no merge writes over it unseen', async () => {
  await deploy(world.ref, 'both', 'base')
  await deploy(world.ref, 'theirs', 'base')
  const branch = await bench.make('functions')
  await deploy(branch.project_ref, 'both', 'branch')
  await deploy(world.ref, 'both', 'main')
  await deploy(world.ref, 'theirs', 'main')
  expect(await difference(branch.id)).toMatchObject({ conflicts: ['both'] })
  const refused = await order(branch.id, 'merge')
  expect([refused.status, refused.body['message']]).toEqual([
    409,
    'Changed on main as well: both. Update the branch first',
  ])
  // The update takes what only main has changed, and keeps what the branch has.
  await done(branch.id, 'pull')
  expect(await functionsOf(branch.project_ref)).toEqual(
    expect.arrayContaining(['both: branch', 'theirs: main']),
  )
  await done(branch.id, 'merge')
  expect(await functionsOf(world.ref)).toEqual(
    expect.arrayContaining(['both: branch', 'theirs: main']),
  )
})

test('a reset makes the database anew from main; keys and address stay', async () => {
  const branch = await bench.make('reset')
  const ref = branch.project_ref
  const settings = async () =>
    (await world.ada.call('GET', `/platform/projects/${ref}/settings`)).body['service_api_keys']
  const keys = await settings()
  await bench.change(ref, 'mine', 'create table public.mine (id int)')
  const reset = await done(branch.id, 'reset')
  expect(reset).toMatchObject({ failure: null, preview_project_status: 'ACTIVE_HEALTHY' })
  const now = await bench.tables(ref)
  expect([now.includes('mine'), now.includes('books')]).toEqual([false, true])
  expect(await settings()).toEqual(keys)
})

test('one thing at a time is done to a branch, also when two are ordered at once', async () => {
  const branch = await bench.make('once')
  await bench.change(branch.project_ref, 'slow', 'select pg_sleep(1)')
  const answers = await Promise.all([order(branch.id, 'merge'), order(branch.id, 'merge')])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  await bench.atRest(branch.id)
})

test('a name and whether it stays can be changed; two branches never share a name', async () => {
  const [a, b] = [await bench.make('a'), await bench.make('b')]
  const patch = (id: string, body: object) => world.ada.call('PATCH', `${path}/${id}`, body)
  expect((await patch(b.id, { name: 'A' })).status).toBe(409)
  expect((await patch(a.id, { name: 'A', persistent: true })).body).toMatchObject({
    name: 'A',
    persistent: true,
  })
  expect((await patch(a.id, { name: 'main' })).status).toBe(400)
  for (const { id } of [a, b])
    expect((await world.ada.call('DELETE', `${path}/${id}`)).status).toBe(200)
})

test('there are only so many, and Free has none', async () => {
  const { db } = world.control
  const row = await db
    .selectFrom('platform.projects')
    .selectAll()
    .where('ref', '=', world.ref)
    .executeTakeFirstOrThrow()
  const { id, db_address: _address, ...values } = row
  // Those of other tests that are being deleted are not counted on.
  const isGoing = async () =>
    (await bench.list()).some((one) => one.preview_project_status === 'GOING_DOWN')
  await expect.poll(isGoing).toBe(false)
  const there = (await bench.list()).length - 1
  const letters = (at: number) =>
    String(at)
      .padStart(20, '0')
      .replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))
  for (let at = there; at < maxBranches; at += 1) {
    const project = await db
      .insertInto('platform.projects')
      .values({ ...values, ref: letters(at), name: `Copy ${at}`, parent_id: id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('platform.branches')
      .values({
        project_id: project.id,
        parent_id: id,
        name: `copy-${at}`,
        git_branch: null,
        job_id: null,
        created_by: null,
      })
      .execute()
  }
  const full = await world.ada.call('POST', path, { name: 'more' })
  expect([full.status, full.body['message']]).toEqual([
    400,
    `A project can have up to ${maxBranches} branches`,
  ])
  await db
    .updateTable('platform.organizations')
    .set({ tier: 'tier_free' })
    .where('slug', '=', 'acme')
    .execute()
  const free = await world.ada.call('POST', path, { name: 'free' })
  expect(free.body['message']).toBe('Branches are available on the Pro plan and above')
})
