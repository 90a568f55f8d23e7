import { execFile } from 'node:child_process'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { processesOf } from '#kit/postgres/processes'
import { admin, ask, customer, specOf, testRef } from '../../testing/conformance-project.ts'
import {
  type DatabaseAddress,
  type Provider,
  BackupDamagedError,
  NotCoveredError,
  UnknownBackupError,
} from '../../provider.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'
import { countRows, storedTables } from './server-store.ts'

const run = promisify(execFile)
let harness: LocalHarness
let provider: Provider
const backups = () => {
  const read = provider.backups?.read
  if (!provider.backups || !read) throw new Error('This provider keeps no backups as files')
  return { ...provider.backups, read }
}
const adminPassword = (ref: string) => specOf(ref).passwords.admin
let ref: string
let at: DatabaseAddress
beforeAll(async () => {
  // Both characters mean something on the way to the archive.
  harness = await localHarness({ inside: "it's 100%f" })
  provider = harness.provider
  await provider.prepare()
  ref = testRef()
  at = await provider.create(specOf(ref))
  await ask(
    at,
    customer(ref),
    'create table notes (id int primary key, text text)',
    'insert into notes select n, repeat(md5(n::text), 200) from generate_series(1, 500) n',
    'create unlogged table scratchpad (id int); insert into scratchpad values (1)',
  )
})
afterAll(() => harness.close())

const count = (where: DatabaseAddress, project = ref) =>
  ask(where, customer(project), 'select count(*)::int from notes')

test('a backup is made, read back, and read as a file that holds a data directory', async () => {
  const key = { ref, id: '1' }
  const { bytes, takenAt } = await backups().make(key, adminPassword(ref))
  expect(Math.abs(Date.now() - takenAt.getTime())).toBeLessThan(60_000)
  const { tables, rows } = await backups().check(key, adminPassword(ref))
  expect(tables).toBeGreaterThan(20)
  expect(rows).toBeGreaterThan(500)
  expect(await backups().list(ref)).toEqual(['1'])
  const file = await backups().read(key)
  expect(file.bytes).toBe(bytes)
  file.stream.destroy()
  const { stdout } = await run('tar', [
    '-tzf',
    join(harness.options.home, 'backups', ref, '1', 'base.tar.gz'),
  ])
  expect(stdout.split('\n')).toEqual(
    expect.arrayContaining(['PG_VERSION', 'backup_label', 'global/pg_control']),
  )
  // Made again after a crash it is the same.
  expect(await backups().make(key, adminPassword(ref))).toEqual({ bytes, takenAt })
})

test('a backup waits for a server that comes up just then', async () => {
  await provider.stop(ref)
  const making = backups().make({ ref, id: '2' }, adminPassword(ref))
  at = await provider.start(ref)
  expect((await making).bytes).toBeGreaterThan(0)
  await backups().remove({ ref, id: '2' })
})

test('nothing of a tenant runs while a backup is made and read back', async () => {
  // What a tenant may do: names of their own before those of the catalogue, and objects that run a function when read.
  await ask(
    at,
    customer(ref),
    'create schema trap; create table trap.ran (who text); grant all on schema trap to public; grant all on trap.ran to public',
    `create function trap.run() returns bool language plpgsql volatile as $$ begin
       insert into trap.ran select session_user || ' as ' || current_user; return true; end $$`,
    'create view trap.pg_class as select * from pg_catalog.pg_class where trap.run()',
    'create view trap.pg_database as select * from pg_catalog.pg_database where trap.run()',
    'create view trap.pg_settings as select * from pg_catalog.pg_settings where trap.run()',
    'create view public.shown as select trap.run() as one',
    `create function trap.format(text, name, name) returns text language sql as $$ select case when trap.run() then 'x' end $$`,
    'create table guarded (id int); insert into guarded values (1), (2); alter table guarded enable row level security, force row level security',
    'create policy run on guarded using (trap.run())',
    'alter database postgres set search_path = trap, pg_catalog, public',
  )
  const key = { ref, id: '5' }
  try {
    await backups().make(key, adminPassword(ref))
    await backups().check(key, adminPassword(ref))
    expect(await ask(at, customer(ref), 'select string_agg(who, $$, $$) from trap.ran')).toBe(null)
    const { counts } = JSON.parse(
      await readFile(join(harness.options.home, 'backups', ref, '5', 'facts.json'), 'utf8'),
    ) as { counts: { table: string; rows: number }[] }
    expect(counts.find(({ table }) => table === 'public.guarded')).toMatchObject({ rows: 2 })
  } finally {
    await ask(
      at,
      customer(ref),
      'alter database postgres reset search_path',
      'drop table public.guarded; drop view public.shown; drop schema trap cascade',
    )
    await backups().remove(key)
  }
})

test('a table that became a view after it was listed is not read', async () => {
  await ask(
    at,
    customer(ref),
    'create table swapped (id int); create table ran (who text); grant all on ran to public',
    `create function run() returns int language plpgsql volatile as $$ begin
       insert into public.ran values (session_user); return 1; end $$`,
  )
  const way = { host: at.socketDir, port: at.port, password: adminPassword(ref) }
  const listed = (await storedTables(way)).filter(({ table }) => table === 'public.swapped')
  await ask(
    at,
    customer(ref),
    'drop table swapped; create view swapped as select public.run() as id',
  )
  expect(await countRows(way, listed, { deep: true })).toEqual([undefined])
  expect(await ask(at, customer(ref), 'select count(*)::int from ran')).toBe(0)
  await ask(at, customer(ref), 'drop view swapped; drop function run(); drop table ran')
})

test('what is not there, and what is no id, is refused', async () => {
  for (const id of ['7', '12345678901234567890123', '../1', '']) {
    await expect(backups().read({ ref, id }), id).rejects.toThrow(/backup/)
  }
  await expect(backups().check({ ref, id: '7' }, adminPassword(ref))).rejects.toThrow(
    UnknownBackupError,
  )
  await expect(backups().restore(specOf(ref), { ref, id: '7' }, 'order 1')).rejects.toThrow(
    UnknownBackupError,
  )
  await expect(
    backups().restore(specOf(ref), { ref, until: new Date() }, 'order 2'),
  ).rejects.toThrow(NotCoveredError)
  await expect(backups().make({ ref: testRef(), id: '7' }, 'x')).rejects.toThrow(
    /No database server/,
  )
  await expect(backups().make({ ref, id: '8' }, 'wrong')).rejects.toThrow(/password/)
  await backups().remove({ ref, id: '7' })
  expect(await backups().list(ref)).toEqual(['1'])
  expect(await count(at)).toBe(500)
})

test('a damaged backup, and one whose rows are not those of the server, does not pass', async () => {
  const key = { ref, id: '2' }
  await backups().make(key, adminPassword(ref))
  const folder = join(harness.options.home, 'backups', ref, '2')
  const facts = JSON.parse(await readFile(join(folder, 'facts.json'), 'utf8')) as {
    bytes: number
    counts: { table: string; rows: number; writes: string }[]
  }
  const wrong = facts.counts.map((one) =>
    one.table === 'public.notes' ? { ...one, rows: 499 } : one,
  )
  await writeFile(join(folder, 'facts.json'), JSON.stringify({ ...facts, counts: wrong }))
  await expect(backups().check(key, adminPassword(ref))).rejects.toThrow(
    'public.notes has 499 rows, and 500 in the backup',
  )
  // Somebody wrote to the table meanwhile: then nobody knows how many there were.
  const written = wrong.map((one) =>
    one.table === 'public.notes' ? { ...one, writes: '1:2:3:4' } : one,
  )
  await writeFile(join(folder, 'facts.json'), JSON.stringify({ ...facts, counts: written }))
  expect(await backups().check(key, adminPassword(ref))).toMatchObject({
    tables: facts.counts.length,
  })
  await truncate(join(folder, 'base.tar.gz'), Math.floor(facts.bytes / 2))
  await expect(backups().check(key, adminPassword(ref))).rejects.toThrow(BackupDamagedError)
  expect(await processesOf(join(harness.folder(ref), '..', '..', 'drills'))).toEqual([])
  await backups().remove(key)
})

test('a project is restored in its place, with the passwords that it has now', async () => {
  await ask(at, customer(ref), 'delete from notes where id > 100')
  await ask(at, admin(ref), "alter role postgres password 'another'")
  at = await backups().restore(specOf(ref), { ref, id: '1' }, 'order 3')
  expect(await count(at)).toBe(500)
  expect(await ask(at, customer(ref), 'show default_transaction_read_only')).toBe('off')
  expect(await provider.inspect(ref)).toEqual({ state: 'running', address: at })
  await expect(ask(at, { ...admin(ref), password: '' }, 'select 1')).rejects.toThrow(/password/)
  expect(await readdir(harness.folder(ref))).toEqual(
    expect.not.arrayContaining(['restoring', 'restored']),
  )
})

test('an order that comes again leaves the project as it has become since', async () => {
  await ask(at, customer(ref), "insert into notes values (501, 'of today')")
  at = await backups().restore(specOf(ref), { ref, id: '1' }, 'order 3')
  expect(await count(at)).toBe(501)
  // It is another order that brings back what there was.
  at = await backups().restore(specOf(ref), { ref, id: '1' }, 'order 3 again')
  expect(await count(at)).toBe(500)
})

test('a restore that fails leaves the project as it was', async () => {
  await backups().make({ ref, id: '3' }, adminPassword(ref))
  await ask(at, customer(ref), 'delete from notes where id > 300')
  await truncate(join(harness.options.home, 'backups', ref, '3', 'base.tar.gz'), 1000)
  await expect(backups().restore(specOf(ref), { ref, id: '3' }, 'order 4')).rejects.toThrow()
  expect(await count(at)).toBe(300)
  await backups().remove({ ref, id: '3' })
})

test('a new project is made from a backup of another', async () => {
  const copy = testRef()
  const copyAt = await backups().restore(specOf(copy), { ref, id: '1' }, 'order 5')
  expect(await count(copyAt, copy)).toBe(500)
  await expect(ask(copyAt, customer(ref), 'select 1')).rejects.toThrow(/authentication/)
  expect(await provider.list()).toContain(copy)
  await provider.stop(copy)
  expect(await count(await provider.start(copy), copy)).toBe(500)
  await provider.destroy(copy)
  expect(await harness.tracesOf(copy)).toEqual([])
})

test('with an archive any moment comes back, in its place and in a new project', async () => {
  const archived = await backups().setArchive(ref, true)
  if (!archived) throw new Error('The server does not run')
  at = archived
  expect(await ask(at, customer(ref), 'show archive_mode')).toBe('on')
  expect(await backups().windows(ref)).toEqual([])
  await backups().make({ ref, id: '4' }, adminPassword(ref))
  const [window] = await backups().windows(ref)
  expect(window?.to).toBeUndefined()
  // A millisecond later: dates here know no parts of one.
  const now = async () =>
    new Date(
      Number(
        await ask(at, customer(ref), 'select ceil(extract(epoch from clock_timestamp()) * 1000)'),
      ),
    )
  await ask(at, customer(ref), 'truncate notes; insert into notes values (1)')
  const one = await now()
  await ask(at, customer(ref), 'insert into notes select generate_series(2, 5)')
  const five = await now()
  await ask(at, customer(ref), 'drop table notes')

  const copy = testRef()
  const copyAt = await backups().restore(specOf(copy), { ref, until: five }, 'order 6')
  expect(await count(copyAt, copy)).toBe(5)
  expect(await ask(copyAt, customer(copy), 'show archive_mode')).toBe('off')
  await provider.destroy(copy)

  at = await backups().restore(specOf(ref), { ref, until: one }, 'order 7')
  expect(await count(at)).toBe(1)
  // What the restore replaced can come back as well, up to its last moment.
  const [before] = await backups().windows(ref)
  expect(before?.to?.getTime()).toBeGreaterThan(five.getTime())
  await backups().make({ ref, id: '5' }, adminPassword(ref))
  expect(await backups().windows(ref)).toHaveLength(2)
  await ask(at, customer(ref), 'insert into notes values (2)')
  at = await backups().restore(specOf(ref), { ref, until: five }, 'order 8')
  expect(await count(at)).toBe(5)

  await backups().remove({ ref, id: '4' })
  await expect(backups().restore(specOf(ref), { ref, until: five }, 'order 9')).rejects.toThrow(
    NotCoveredError,
  )
  await backups().setArchive(ref, false)
  expect((await backups().windows(ref)).map(({ to }) => to === undefined)).toEqual([false])
})

test('what a project was leaves nothing behind', async () => {
  await provider.destroy(ref)
  expect(await harness.tracesOf(ref)).toEqual([])
  expect(await readdir(join(harness.options.home, 'backups'))).toEqual([])
})
