import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, customer, specOf, testRef } from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'

let harness: LocalHarness
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
})
afterAll(() => harness.close())

/** The platform comes back as a version that needs `sql`. */
async function comeBackWith(...sql: string[]) {
  harness.options.upgradeSql = sql
  return harness.reopen()
}
const count = `select count(*)::int from pg_class where relname in ('newer', 'newest')`
const additions = `create table if not exists public.newer (id int);
  do $$ begin perform 1;

  end $$;
  grant all on public.newer to postgres;`

test('a project of an earlier version is given what is new, once, and keeps what it has', async () => {
  const ref = testRef()
  const first = await harness.provider.create(specOf(ref))
  await ask(first, customer(ref), 'create table kept as select 1 as id')
  // Its record is one of before there were any.
  const file = join(harness.folder(ref), 'project.json')
  const { upgrade: _, ...before } = JSON.parse(await readFile(file, 'utf8')) as { upgrade?: string }
  await writeFile(file, JSON.stringify(before))
  // Its server goes on while the platform is replaced.
  const newer = await comeBackWith(additions)
  const at = await newer.start(ref)
  expect(await ask(at, customer(ref), count)).toBe(1)
  expect(await ask(at, customer(ref), 'select id from kept')).toBe(1)
  await ask(at, customer(ref), 'drop table newer')
  await newer.restart(ref)
  expect(await ask(at, customer(ref), count)).toBe(0)
  const newest = await comeBackWith(additions, 'create table public.newest (id int)')
  expect(await ask(await newest.start(ref), customer(ref), count)).toBe(2)
})

test('where it fails, nothing of it has happened, and the project starts all the same', async () => {
  const ref = testRef()
  await harness.provider.create(specOf(ref))
  const broken = await comeBackWith('create table public.newest (id int); select no_such_thing')
  const at = await broken.start(ref)
  expect(await ask(at, customer(ref), count)).toBe(0)
  const mended = await comeBackWith('create table public.newest (id int)')
  expect(await ask(await mended.start(ref), customer(ref), count)).toBe(1)
})

test('a new project has everything already', async () => {
  const provider = await comeBackWith('create table public.newest (id int)')
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  await provider.restart(ref)
  expect(await ask(at, customer(ref), count)).toBe(0)
})
