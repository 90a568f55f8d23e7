import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signal, processesOf } from '#kit/postgres/processes'
import { findRunning, stopServer } from '#kit/postgres/server'
import { places } from '#kit/testing/rounds'
import {
  UnknownReplicaError,
  type DatabaseAddress,
  type Provider,
  type ReadReplicas,
} from '../../provider.ts'
import {
  admin,
  ask,
  customer,
  service,
  specOf,
  testRef,
} from '../../testing/conformance-project.ts'
import { crashBench, type CrashBench } from '../../testing/crash.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'

let harness: LocalHarness
let provider: Provider
let replicas: ReadReplicas
let bench: CrashBench
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
  // A look would start the replicas that are stopped here.
  harness.options.lookMs = 3_600_000
  bench = await crashBench(harness)
  await opened()
})
afterAll(async () => {
  await harness.close()
  await bench.close()
})
async function opened(): Promise<void> {
  provider = await harness.reopen()
  if (!provider.replicas) throw new Error('This provider has no read replicas')
  replicas = provider.replicas
}

const id = 'abcde'
const within = { timeout: 60_000, interval: 50 }
const order = 'order'
const data = (ref: string) => join(harness.folder(ref), 'data')
const dataOfReplica = (ref: string) => join(harness.folder(ref), 'replicas', id, 'data')
const stateOf = async (ref: string) =>
  (await replicas.list(ref, admin(ref).password)).find((one) => one.id === id)?.state
async function made(): Promise<{ ref: string; at: DatabaseAddress; password: string }> {
  const ref = testRef()
  const { password } = admin(ref)
  const at = await provider.create(specOf(ref))
  await ask(at, customer(ref), 'create table t as select 7 as n')
  await replicas.make({ ref, id }, password)
  await expect.poll(() => stateOf(ref), within).toBe('streaming')
  return { ref, at, password }
}
/** Stops the process by which a replica gets what is written: the one that there still is when it has stopped. */
async function stoppedReceiver(at: DatabaseAddress, ref: string): Promise<number> {
  const find = async () =>
    Number(
      await ask(at, admin(ref), 'select coalesce(max(pid), 0) from pg_stat_get_wal_receiver()'),
    )
  let stopped = 0
  await expect
    .poll(async () => {
      const pid = await find()
      if (pid === 0) return false
      signal(pid, 'SIGSTOP')
      const isStill = (await find()) === pid
      if (isStill) stopped = pid
      else signal(pid, 'SIGCONT')
      return isStill
    }, within)
    .toBe(true)
  return stopped
}
/** Whether it is a server of the project as any other: its address, its passwords, writes, and nothing of a replica left. */
async function expectWhole(ref: string, now: DatabaseAddress, rows: number): Promise<void> {
  expect(await ask(now, customer(ref), 'select pg_is_in_recovery()')).toBe(false)
  expect(await ask(now, customer(ref), 'select count(*)::int from t')).toBe(rows)
  await ask(now, customer(ref), 'insert into t values (100)')
  expect(await ask(now, service(ref, 'authenticator'), 'select true')).toBe(true)
  expect(await provider.checkRoles?.(ref, admin(ref).password)).toEqual({ findings: [] })
  expect(await replicas.list(ref, admin(ref).password)).toEqual([])
  const left = await harness.tracesOf(ref)
  expect(left.filter((name) => name.includes(id) || name.includes('restored'))).toEqual([])
}

test('a replica that nobody made, or whose project is gone, is promoted by nobody', async () => {
  const ref = testRef()
  const how = { order, force: false }
  await expect(replicas.promote({ ref, id }, 'x', how)).rejects.toThrow()
  await provider.create(specOf(ref))
  const { password } = admin(ref)
  await expect(replicas.promote({ ref, id }, password, how)).rejects.toThrow(UnknownReplicaError)
  await expect(replicas.promote({ ref, id: '../..' }, password, how)).rejects.toThrow(TypeError)
  expect((await provider.inspect(ref)).state).toBe('running')
  await provider.destroy(ref)
})

test('the project goes on as its replica, with all that was written, once for an order', async () => {
  const { ref, at, password } = await made()
  const owner = (await stat(data(ref))).uid
  await ask(at, customer(ref), 'insert into t select generate_series(1, 5000)')
  const now = await replicas.promote({ ref, id }, password, { order, force: false })
  expect(now).toEqual(at)
  await expectWhole(ref, now, 5001)
  expect((await stat(data(ref))).uid).toBe(owner)
  expect(await ask(now, customer(ref), 'select timeline_id from pg_control_checkpoint()')).toBe(2)
  // Its order comes again, as after a crash of whoever gave it.
  expect(await replicas.promote({ ref, id }, password, { order, force: false })).toEqual(now)
  await expectWhole(ref, now, 5002)
  // It can have replicas, and be promoted to one of them, as before.
  await replicas.make({ ref, id }, password)
  await expect.poll(() => stateOf(ref), within).toBe('streaming')
  const again = await replicas.promote({ ref, id }, password, { order: 'next', force: false })
  await expectWhole(ref, again, 5003)
  expect(await ask(await provider.restart(ref), customer(ref), 'select count(*)::int from t')).toBe(
    5004,
  )
  await provider.destroy(ref)
  expect(await harness.tracesOf(ref)).toEqual([])
})

test('a replica that lacks something is not promoted, and the project goes on as it was', async () => {
  const { ref, at, password } = await made()
  const replica = await findRunning(dataOfReplica(ref))
  if (!replica) throw new Error('The replica does not run')
  const there = { socketDir: replica.socketDir, port: replica.port }
  // It hangs: what is written from now on does not reach it.
  const receiver = await stoppedReceiver(there, ref)
  await ask(at, customer(ref), 'insert into t values (8)')
  const promoted = replicas.promote({ ref, id }, password, { order, force: false })
  await expect(promoted).rejects.toThrow(/did not (?:get all|stop in good order)/)
  signal(receiver, 'SIGCONT')
  expect((await provider.inspect(ref)).state).toBe('running')
  expect(await ask(at, customer(ref), 'select max(n) from t')).toBe(8)
  await expect(ask(there, customer(ref), 'insert into t values (9)')).rejects.toThrow(/read-only/)
  // One that is away is not, either.
  await stopServer(dataOfReplica(ref))
  await expect.poll(() => stateOf(ref), within).not.toBe('streaming')
  await expect(replicas.promote({ ref, id }, password, { order, force: false })).rejects.toThrow(
    /not connected/,
  )
  await ask(at, customer(ref), 'insert into t values (9)')
  await provider.destroy(ref)
})

test('by force it is promoted when the data of the primary are lost', async () => {
  const { ref, at, password } = await made()
  await ask(at, customer(ref), 'insert into t values (8)')
  const lsn = String(await ask(at, customer(ref), 'select pg_current_wal_lsn()::text'))
  const replica = await findRunning(dataOfReplica(ref))
  if (!replica) throw new Error('The replica does not run')
  const there = { socketDir: replica.socketDir, port: replica.port }
  const has = `select pg_last_wal_replay_lsn() >= '${lsn}'`
  await expect.poll(() => ask(there, customer(ref), has), within).toBe(true)
  for (const { pid } of await processesOf(data(ref))) signal(pid, 'SIGKILL')
  await expect.poll(async () => (await provider.inspect(ref)).state, within).toBe('stopped')
  await rm(data(ref), { recursive: true })
  await expect(replicas.promote({ ref, id }, password, { order, force: false })).rejects.toThrow()
  const now = await replicas.promote({ ref, id }, password, { order, force: true })
  await expectWhole(ref, now, 2)
  await provider.destroy(ref)
})

test('other replicas are broken, and made anew they follow the new primary', async () => {
  const { ref, password } = await made()
  await replicas.make({ ref, id: 'fghij' }, password)
  const now = await replicas.promote({ ref, id }, password, { order, force: false })
  expect(await replicas.list(ref, password)).toMatchObject([{ id: 'fghij', state: 'broken' }])
  await ask(now, customer(ref), 'insert into t values (8)')
  const replica = await replicas.make({ ref, id: 'fghij' }, password)
  await expect.poll(() => ask(replica, customer(ref), 'select max(n) from t'), within).toBe(8)
  await provider.destroy(ref)
  expect(await harness.tracesOf(ref)).toEqual([])
})

test('the archive goes on with what the new primary writes, from the next backup on', async () => {
  const { ref, password } = await made()
  const { backups } = provider
  if (!backups) throw new Error('This provider keeps no backups')
  const archived = await backups.setArchive(ref, true)
  if (!archived) throw new Error('Its server does not run')
  await backups.make({ ref, id: '1' }, password)
  await expect.poll(() => stateOf(ref), within).toBe('streaming')
  const now = await replicas.promote({ ref, id }, password, { order, force: false })
  expect(await backups.windows(ref)).toMatchObject([{ to: expect.any(Date) }])
  await backups.make({ ref, id: '2' }, password)
  await ask(now, customer(ref), 'insert into t values (8)')
  const [, window] = await backups.windows(ref)
  expect(window).toMatchObject({ from: expect.any(Date), to: undefined })
  const until = new Date(String(await ask(now, customer(ref), 'select clock_timestamp()::text')))
  await ask(now, customer(ref), 'delete from t')
  const restored = await backups.restore(specOf(ref), { ref, until }, 'restore')
  expect(await ask(restored, customer(ref), 'select count(*)::int from t')).toBe(2)
  await provider.destroy(ref)
  expect(await harness.tracesOf(ref)).toEqual([])
})

const steps = ['stopped', 'fenced', 'owned', 'recovered', 'named', 'swapped', 'saved'] as const
test.each(places(steps, ['fenced', 'swapped', 'saved']))(
  'killed at %s: ordered again it is finished, and nothing that was written is lost',
  async (step) => {
    const { ref, at, password } = await made()
    await ask(at, customer(ref), 'insert into t values (8)')
    expect(await bench.crash('promote replica', ref, `compute.promote.${step}`)).toBe('SIGKILL')
    await opened()
    const isFenced = !['stopped', 'saved'].includes(step)
    // What was the server is never started beside the one that takes its place.
    if (isFenced) await expect(provider.start(ref)).rejects.toThrow(/being promoted/)
    const now = await replicas.promote({ ref, id }, password, { order, force: false })
    await expectWhole(ref, now, 2)
    await provider.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
  },
  60_000,
)

test.each(places(['fenced', 'recovered', 'named'], ['recovered']))(
  'killed at %s: a project that is removed then leaves nothing',
  async (step) => {
    const { ref } = await made()
    expect(await bench.crash('promote replica', ref, `compute.promote.${step}`)).toBe('SIGKILL')
    await opened()
    await provider.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
  },
  60_000,
)
