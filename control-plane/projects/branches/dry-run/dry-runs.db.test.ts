import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { BranchDifference, type Branch } from '#contract/projects/branches'
import { DryRun, dryRuns } from '#contract/projects/dry-runs'
import { branchBench } from '../../../testing/branches.ts'
import { startWorld, type World } from '../../../testing/world.ts'

/** Each waits for real servers, beside whatever else the machine does. */
const patience = { timeout: 180_000 }

let world: World
let bench: ReturnType<typeof branchBench>
let branch: Branch
let at: string
beforeAll(async () => {
  world = await startWorld()
  bench = branchBench(world)
  await bench.change(
    world.ref,
    'books',
    'create table public.books (id int primary key, price int)',
    'create table public.authors (id int primary key)',
  )
  await world.sql('insert into books values (1, 10), (2, null)')
  branch = await bench.make('prices')
  at = `${bench.path}/${branch.id}/dry-run`
})
afterAll(() => world.end())

const start = async (path = at) => {
  const answer = await world.ada.call('POST', path)
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return DryRun.parse(answer.body)
}
const last = async (path = at) =>
  dryRuns.get.returns.parse((await world.ada.call('GET', path)).body).dry_run
const over = (path = at): Promise<DryRun> =>
  vi.waitFor(
    async () => {
      const found = await last(path)
      if (!found || found.state === 'running') throw new Error('It is not over')
      return found
    },
    { timeout: 150_000, interval: 100 },
  )
/** Does something while a copy of main is being made, however fast that goes. */
async function meanwhile(work: () => Promise<void>): Promise<void> {
  const { backups } = world.control.compute
  if (!backups) throw new Error('Nothing can be copied here')
  const make = backups.make.bind(backups)
  let goOn = () => undefined as void
  const held = new Promise<void>((resolve) => (goOn = resolve))
  backups.make = async (...of) => {
    await held
    return make(...of)
  }
  try {
    await start()
    await work()
  } finally {
    goOn()
    backups.make = make
  }
}
const difference = async () =>
  BranchDifference.parse(
    (await world.ada.call('GET', `${bench.path}/${branch.id}/difference`)).body,
  )
const copies = () =>
  world.control.db
    .selectFrom('platform.projects')
    .select(['ref', 'status'])
    .where('is_dry_run', '=', true)
    .orderBy('id')
    .execute()
/** Nothing of a copy is left in the world, and nothing of it was paid for. */
async function nothingIsLeft(): Promise<void> {
  const { db, compute } = world.control
  await expect
    .poll(async () => (await copies()).map(({ status }) => status), { timeout: 60_000 })
    .toEqual((await copies()).map(() => 'REMOVED'))
  const there = await compute.list()
  for (const { ref } of await copies()) expect(there).not.toContain(ref)
  expect(await db.selectFrom('platform.backups').selectAll().execute()).toEqual([])
  expect(await compute.backups?.list(world.ref)).toEqual([])
  const refs = (await copies()).map(({ ref }) => ref)
  const used = await db
    .selectFrom('platform.compute_usage')
    .select('project_ref')
    .where('project_ref', 'in', refs)
    .execute()
  expect(used).toEqual([])
}

test('who may not is refused, and so is what a merge would be refused for', async () => {
  for (const method of ['GET', 'POST'] as const) {
    expect((await world.control.app.inject({ method, url: at })).statusCode).toBe(401)
    expect((await world.stranger.call(method, at)).status).toBe(404)
    const nobody = `${bench.path}/00000000-0000-4000-8000-000000000000/dry-run`
    expect((await world.ada.call(method, nobody)).status).toBe(404)
    expect((await world.ada.call(method, `${bench.path}/no-id/dry-run`)).status).toBe(400)
  }
  const reader = world.as('Read-only')
  expect((await reader.call('GET', at)).body).toEqual({ dry_run: null })
  expect((await reader.call('POST', at)).status).toBe(403)
  expect((await world.ada.call('POST', at)).body).toMatchObject({
    message: 'The branch has no migration that main lacks',
  })
  await world.control.db
    .updateTable('platform.branches')
    .set({ job_id: sql<string>`(select id from platform.jobs limit 1)` })
    .where('id', '=', branch.id)
    .execute()
  expect((await world.ada.call('POST', at)).body).toMatchObject({ code: 'branch_busy' })
  await world.control.db
    .updateTable('platform.branches')
    .set({ job_id: null })
    .where('id', '=', branch.id)
    .execute()
  // It takes a server for a while, so nobody asks for it again and again.
  const developer = world.as('Developer')
  const answers: number[] = []
  for (let n = 0; n < 22; n += 1) answers.push((await developer.call('POST', at)).status)
  expect(answers[0]).toBe(400)
  expect(answers.at(-1)).toBe(429)
  expect(await copies()).toEqual([])
})

test(
  'migrations are run on a copy of main with its rows, which tells what they do and is thrown away',
  patience,
  async () => {
    await bench.change(
      branch.project_ref,
      'wider',
      'alter table public.books alter column price type bigint',
      'create index authors_id on public.authors (id)',
      'create table public.shelves (id int)',
    )
    await bench.change(branch.project_ref, 'quick', 'alter table public.books add column note text')
    const before = await difference()
    await meanwhile(async () => {
      expect(await last()).toMatchObject({
        state: 'running',
        copied: 'data',
        started_by: 'ada@example.com',
        migrations: [],
      })
      expect((await world.ada.call('POST', at)).body).toMatchObject({ code: 'dry_run_running' })
      expect((await world.ada.call('POST', bench.path, { name: 'beside' })).status).toBe(201)
      // Nobody finds the copy.
      const [copy] = await copies()
      for (const [method, path, body] of [
        ['GET', `/platform/projects/${copy?.ref}`, undefined],
        ['DELETE', `/platform/projects/${copy?.ref}`, undefined],
        ['GET', `/v1/projects/${copy?.ref}/api-keys`, undefined],
        ['POST', `/v1/projects/${copy?.ref}/database/query`, { query: 'select 1' }],
      ] as const)
        expect((await world.ada.call(method, path, body)).status, path).toBe(404)
      const listed = (await world.ada.call('GET', '/platform/projects')).body['projects']
      expect(JSON.stringify(listed)).not.toContain(copy?.ref)
      expect(JSON.stringify(await bench.list())).not.toContain(copy?.ref)
    })

    const done = await over()
    expect(done, JSON.stringify(done)).toMatchObject({ state: 'passed', failure: null })
    expect(done.digest).toBe(before.dry_run_digest)
    const [wider, quick] = done.migrations
    expect(wider).toMatchObject({
      name: 'wider',
      state: 'passed',
      rewritten: ['public.books'],
      locks: [
        { relation: 'public.books', mode: 'ACCESS EXCLUSIVE' },
        { relation: 'public.authors', mode: 'SHARE' },
      ],
      error: null,
    })
    expect(wider?.statements.map(({ text }) => text)).toEqual([
      'alter table public.books alter column price type bigint',
      'create index authors_id on public.authors (id)',
      'create table public.shelves (id int)',
    ])
    expect(quick).toMatchObject({ name: 'quick', rewritten: [] })
    // Main has nothing of it.
    expect(await bench.tables(world.ref)).toEqual(['authors', 'books'])
    const types = await world.sql(
      `select data_type from information_schema.columns where table_name = 'books' order by 1`,
    )
    expect(types).toEqual([{ data_type: 'integer' }, { data_type: 'integer' }])
    await nothingIsLeft()
    const [entry, ...more] = await world.control.db
      .selectFrom('platform.audit_entries')
      .select(['target', 'change'])
      .where('action', '=', 'dryRuns.start')
      .execute()
    expect([entry?.target, more]).toEqual([`project:${world.ref}`, []])
  },
)

test(
  'what the rows of main do not allow fails, with its place, and what comes behind is not run',
  patience,
  async () => {
    const { project_ref: ref } = branch
    await bench.change(
      ref,
      'strict',
      'select 1',
      'alter table public.books\n  alter column price set not null',
    )
    await bench.change(ref, 'later', 'create table public.later (id int)')
    expect((await last())?.digest).not.toBe((await difference()).dry_run_digest)
    await start()
    const done = await over()
    expect(done).toMatchObject({ state: 'failed', failure: null })
    expect(done.migrations.map(({ name, state }) => [name, state])).toEqual([
      ['wider', 'passed'],
      ['quick', 'passed'],
      ['strict', 'failed'],
      ['later', 'skipped'],
    ])
    expect(done.migrations[2]).toMatchObject({
      locks: null,
      error: {
        code: '23502',
        message: expect.stringContaining('price'),
        statement: 'alter table public.books\n  alter column price set not null',
      },
    })
    expect(await bench.tables(world.ref)).toEqual(['authors', 'books'])
    await nothingIsLeft()
  },
)

test('what main gets makes it stale, and a branch that lacks it is refused', async () => {
  const { digest } = (await last()) ?? {}
  expect((await difference()).dry_run_digest).toBe(digest)
  await bench.change(world.ref, 'more', 'create table public.more (id int)')
  expect((await difference()).dry_run_digest).not.toBe(digest)
  expect((await world.ada.call('POST', at)).body).toMatchObject({ code: 'branch_behind' })
})

test('a copy that cannot be made says why, and nothing is left of it', patience, async () => {
  const { db, compute } = world.control
  const pulled = await world.ada.call('POST', `${bench.path}/${branch.id}/pull`)
  expect(pulled.status, JSON.stringify(pulled.body)).toBe(201)
  await bench.atRest(branch.id)
  if (!compute.backups) throw new Error('Nothing can be copied here')
  const make = compute.backups.make.bind(compute.backups)
  compute.backups.make = () => Promise.reject(new Error('the disk is full'))
  try {
    await start()
    expect(await over()).toMatchObject({
      state: 'failed',
      failure: 'No copy of main could be made: the disk is full',
      migrations: [],
    })
  } finally {
    compute.backups.make = make
  }
  await nothingIsLeft()
  const told = await db
    .selectFrom('platform.audit_entries')
    .select('target')
    .where('action', '=', 'projects.fail')
    .execute()
  expect(told).toEqual([])
})

test(
  'what changes while the copy is made has it come to no result, and a copy that is left over goes',
  patience,
  async () => {
    const { db, dryRunRound } = world.control
    await meanwhile(() =>
      bench.change(branch.project_ref, 'meanwhile', 'create table public.meanwhile (id int)'),
    )
    expect(await over()).toMatchObject({
      state: 'failed',
      failure: 'The branch or main has changed meanwhile. Check again',
      migrations: [],
    })
    await nothingIsLeft()
    // As if its job had ended without a word.
    const beside = (await bench.list()).find(({ name }) => name === 'beside')
    expect(beside).toBeDefined()
    await bench.atRest(beside?.id ?? '')
    const ref = beside?.project_ref ?? ''
    await db
      .updateTable('platform.projects')
      .set({ is_dry_run: true })
      .where('ref', '=', ref)
      .execute()
    await db
      .updateTable('platform.dry_runs')
      .set({ finished_at: null, state: 'running', copy_ref: ref })
      .where('branch_id', '=', branch.id)
      .execute()
    await dryRunRound()
    expect(await last()).toMatchObject({ state: 'failed', failure: 'It was broken off' })
    await expect
      .poll(async () => (await world.control.compute.list()).includes(ref), { timeout: 60_000 })
      .toBe(false)
  },
)
