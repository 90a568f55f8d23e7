import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsAsRoot } from '#kit/postgres/os-user'
import { processesOf, signal } from '#kit/postgres/processes'
import { findRunning, stopServer } from '#kit/postgres/server'
import type { DatabaseAddress, Provider, ReadReplicas } from '../../provider.ts'
import { admin, ask, customer, specOf, testRef } from '../../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'

let harness: LocalHarness
let provider: Provider
let replicas: ReadReplicas
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
  provider = harness.provider
  await provider.prepare()
  if (!provider.replicas) throw new Error('This provider has no read replicas')
  replicas = provider.replicas
})
afterAll(() => harness.close())

const id = 'abcde'
const within = { timeout: 60_000, interval: 50 }
const home = (ref: string) => join(harness.folder(ref), 'replicas', id)
async function made(): Promise<{ ref: string; at: DatabaseAddress; replica: DatabaseAddress }> {
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  await ask(at, customer(ref), 'create table t as select 7 as n')
  return { ref, at, replica: await replicas.make({ ref, id }, admin(ref).password) }
}
const stateOf = async (ref: string) => (await replicas.list(ref, admin(ref).password))[0]?.state

test('members of the project neither sign in by the login of replicas nor take it over', async () => {
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  // Whoever has the name first is put out of it.
  await ask(at, customer(ref), `create role plinth_replicator login password 'mine'`)
  await replicas.make({ ref, id }, admin(ref).password)
  const stranger = { role: 'plinth_replicator', password: 'mine' }
  await expect(ask(at, stranger, 'select 1')).rejects.toThrow(/authentication/)
  for (const sql of [
    `alter role plinth_replicator password 'mine'`,
    'drop role plinth_replicator',
    'grant plinth_replicator to postgres',
    'set role plinth_replicator',
    `select pg_drop_replication_slot('plinth_replica_${id}')`,
    `select pg_create_physical_replication_slot('plinth_replica_fghij')`,
  ])
    await expect(ask(at, customer(ref), sql), sql).rejects.toMatchObject({ code: '42501' })
  // Nothing that they may read has its password, and the login can nothing but stream.
  const settings = `select string_agg(setting, ' ') from pg_settings where name like 'primary%'`
  const login = (await readFile(join(home(ref), 'login'), 'utf8')).split(':').at(-1)?.trim() ?? ''
  const address = (await replicas.list(ref, admin(ref).password))[0]?.address ?? at
  expect(await ask(address, customer(ref), settings)).not.toContain(login)
  const replicator = { role: 'plinth_replicator', password: login }
  expect(await ask(at, replicator, 'select true')).toBe(true)
  await expect(ask(at, replicator, 'select n from t')).rejects.toThrow(/exist|permission/)
  expect(await provider.checkRoles?.(ref, admin(ref).password)).toEqual({ findings: [] })
  await provider.destroy(ref)
})

test('what is kept for a replica is not the owner’s to push, copy or drop, and its name is nobody else’s', async () => {
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  const slot = `plinth_replica_${id}`
  // A slot of the customer that stands in the way goes.
  await ask(at, customer(ref), `select extensions.create_replication_slot('${slot}')`)
  await replicas.make({ ref, id }, admin(ref).password)
  const kind = `select slot_type from pg_replication_slots where slot_name = '${slot}'`
  expect(await ask(at, customer(ref), kind)).toBe('physical')
  const from = `select restart_lsn::text from pg_replication_slots where slot_name = '${slot}'`
  await provider.replicas?.restart({ ref, id })
  for (const [sql, code] of [
    [`select extensions.advance_replication_slot('${slot}', pg_current_wal_lsn())`, '42704'],
    [`select extensions.drop_replication_slot('${slot}')`, '42704'],
    [`select pg_replication_slot_advance('${slot}', pg_current_wal_lsn())`, '42501'],
    [`select pg_copy_physical_replication_slot('${slot}', 'mine')`, '42501'],
    [`select pg_copy_logical_replication_slot('${slot}', 'mine')`, '42501'],
    [`select extensions.get_replication_slot_changes('${slot}')`, undefined],
    [`select extensions.peek_replication_slot_binary_changes('${slot}')`, undefined],
    [`select extensions.advance_replication_slot('realtime_x', pg_current_wal_lsn())`, '42704'],
    ['select extensions.advance_replication_slot(null, pg_current_wal_lsn())', '42704'],
  ] as const)
    await expect(ask(at, customer(ref), sql), sql).rejects.toMatchObject(
      code === undefined
        ? { message: expect.stringMatching(/physical replication slot|active/) }
        : { code },
    )
  expect(await ask(at, customer(ref), from)).not.toBe(null)
  expect(await stateOf(ref)).toBeDefined()
  // The customer's own go forward as before.
  await ask(at, customer(ref), "select extensions.create_replication_slot('mine', 'test_decoding')")
  const moved = `select extensions.advance_replication_slot('mine', pg_current_wal_lsn()) is not null`
  expect(await ask(at, customer(ref), moved)).toBe(true)
  await provider.destroy(ref)
})

test.runIf(runsAsRoot())(
  'each replica has a user of its own, and its data are closed to others',
  async () => {
    const { ref } = await made()
    const other = await made()
    const owners = await Promise.all(
      [harness.folder(ref), home(ref), home(other.ref)].map((at) => stat(join(at, 'data'))),
    )
    expect(new Set(owners.map(({ uid }) => uid)).size).toBe(3)
    for (const { mode } of owners) expect(mode & 0o777).toBe(0o700)
    const login = await stat(join(home(ref), 'login'))
    expect({ mode: login.mode & 0o777, uid: login.uid }).toEqual({
      mode: 0o400,
      uid: owners[1]?.uid,
    })
    // The password of one project's opens no other's.
    const password = (await readFile(join(home(ref), 'login'), 'utf8')).split(':').at(-1)?.trim()
    await expect(
      ask(other.at, { role: 'plinth_replicator', password: password ?? '' }, 'select 1'),
    ).rejects.toThrow(/authentication/)
    await provider.destroy(ref)
    await provider.destroy(other.ref)
  },
)

test('a replica and a project whose servers were killed come back, and go on together', async () => {
  const { ref, at } = await made()
  const kill = async (folder: string) => {
    const server = await findRunning(join(folder, 'data'))
    if (!server) throw new Error(`No server runs in ${folder}`)
    signal(server.pid, 'SIGKILL')
  }
  await kill(home(ref))
  await expect.poll(() => stateOf(ref), within).toBe('stopped')
  await ask(at, customer(ref), 'insert into t values (8)')
  provider = await harness.reopen()
  if (provider.replicas) replicas = provider.replicas
  await expect.poll(() => stateOf(ref), within).toBe('streaming')
  await kill(harness.folder(ref))
  await expect.poll(async () => (await provider.inspect(ref)).state, within).toBe('stopped')
  const again = await provider.start(ref)
  await ask(again, customer(ref), 'insert into t values (9)')
  await expect
    .poll(async () => {
      const [one] = await replicas.list(ref, admin(ref).password)
      return one?.address && ask(one.address, customer(ref), 'select max(n) from t')
    }, within)
    .toBe(9)
  await provider.destroy(ref)
  expect(await harness.tracesOf(ref)).toEqual([])
})

test('what is kept for a replica that is gone is bounded; it is then broken, and made anew whole', async () => {
  const { ref, at } = await made()
  expect(await ask(at, customer(ref), 'show max_slot_wal_keep_size')).toBe('1GB')
  // Two megabytes here, which a test can write.
  const settings = join(harness.folder(ref), 'config', 'postgresql.conf')
  await writeFile(settings, `${await readFile(settings, 'utf8')}max_slot_wal_keep_size = '2MB'\n`)
  signal((await findRunning(join(harness.folder(ref), 'data')))?.pid ?? 0, 'SIGHUP')
  await expect.poll(() => ask(at, customer(ref), 'show max_slot_wal_keep_size')).toBe('2MB')
  // While nobody looks after it, it is gone.
  await provider.close()
  await stopServer(join(home(ref), 'data'), { mode: 'immediate' })
  const some = "create table big as select repeat('x', 1000) from generate_series(1, 9000)"
  await ask(at, customer(ref), some)
  await ask(at, admin(ref), 'checkpoint')
  const slots = `select wal_status from pg_replication_slots`
  expect(await ask(at, customer(ref), slots)).toBe('lost')
  provider = await harness.reopen()
  if (provider.replicas) replicas = provider.replicas
  await expect.poll(() => stateOf(ref), within).toBe('broken')
  const again = await replicas.make({ ref, id }, admin(ref).password)
  await expect.poll(() => stateOf(ref), within).toBe('streaming')
  expect(await ask(again, customer(ref), 'select count(*)::int from big')).toBe(9000)
  await provider.destroy(ref)
})

test('a replica that hangs while the server has to give it up does not hold the server up', async () => {
  const { ref, at } = await made()
  const settings = join(harness.folder(ref), 'config', 'postgresql.conf')
  await writeFile(settings, `${await readFile(settings, 'utf8')}max_slot_wal_keep_size = '2MB'\n`)
  signal((await findRunning(join(harness.folder(ref), 'data')))?.pid ?? 0, 'SIGHUP')
  await expect.poll(() => ask(at, customer(ref), 'show max_slot_wal_keep_size')).toBe('2MB')
  harness.options.lookMs = 500
  provider = await harness.reopen()
  if (provider.replicas) replicas = provider.replicas
  const before = (await findRunning(join(home(ref), 'data')))?.pid
  for (const { pid } of await processesOf(join(home(ref), 'data'))) signal(pid, 'SIGSTOP')
  const some = "create table big as select repeat('x', 1000) from generate_series(1, 9000)"
  await ask(at, customer(ref), some)
  await ask(at, admin(ref), 'checkpoint')
  await expect
    .poll(() => ask(at, customer(ref), 'select wal_status from pg_replication_slots'), within)
    .toBe('lost')
  await expect
    .poll(async () => (await findRunning(join(home(ref), 'data')))?.pid ?? before, within)
    .not.toBe(before)
  const again = await replicas.make({ ref, id }, admin(ref).password)
  await expect.poll(() => stateOf(ref), within).toBe('streaming')
  expect(await ask(again, customer(ref), 'select count(*)::int from big')).toBe(9000)
  delete harness.options.lookMs
  provider = await harness.reopen()
  if (provider.replicas) replicas = provider.replicas
  await provider.destroy(ref)
})
