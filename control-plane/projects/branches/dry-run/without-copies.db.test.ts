import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DryRun, dryRuns } from '#contract/projects/dry-runs'
import { branchBench } from '../../../testing/branches.ts'
import { startWorld, type World } from '../../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld('', { backups: false })
})
afterAll(() => world.end())

test('where servers cannot be copied, a dry run has the migrations of main without its rows, and says so', async () => {
  const bench = branchBench(world)
  await bench.change(world.ref, 'books', 'create table public.books (id int, price int)')
  // Main would refuse what the copy takes: it has no such row.
  await world.sql('insert into books values (1, null)')
  const branch = await bench.make('prices')
  await bench.change(
    branch.project_ref,
    'priced',
    'alter table public.books alter column price set not null',
  )
  const path = `${bench.path}/${branch.id}/dry-run`
  const ordered = await world.ada.call('POST', path)
  expect(ordered.status, JSON.stringify(ordered.body)).toBe(202)
  expect(DryRun.parse(ordered.body)).toMatchObject({ state: 'running', copied: 'migrations' })
  const over = await vi.waitFor(
    async () => {
      const { dry_run } = dryRuns.get.returns.parse((await world.ada.call('GET', path)).body)
      if (!dry_run || dry_run.state === 'running') throw new Error('It is not over')
      return dry_run
    },
    { timeout: 100_000, interval: 100 },
  )
  expect(over).toMatchObject({
    state: 'passed',
    copied: 'migrations',
    failure: null,
    migrations: [
      { name: 'priced', locks: [{ relation: 'public.books', mode: 'ACCESS EXCLUSIVE' }] },
    ],
  })
})
