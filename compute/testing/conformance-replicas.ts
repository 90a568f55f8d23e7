import { expect, test } from 'vitest'
import { admin, ask, customer, specOf, testRef } from './conformance-project.ts'
import type { Harness } from './conformance.ts'
import {
  UnknownProjectError,
  UnknownReplicaError,
  type DatabaseAddress,
  type Provider,
  type ReadReplicas,
  type ReplicaKey,
} from '../provider.ts'

const within = { timeout: 120_000, interval: 50 }

/** What a provider with read replicas promises of them. */
export function replicaTests(world: () => { harness: Harness; provider: Provider }): void {
  const replicasOf = (provider: Provider): ReadReplicas => {
    if (!provider.replicas) throw new Error('This provider has no read replicas')
    return provider.replicas
  }
  const password = (ref: string) => admin(ref).password
  const written = (at: DatabaseAddress, ref: string) =>
    ask(at, customer(ref), 'select pg_current_wal_lsn()::text')
  /** Until it has replayed what is written by now. */
  async function caughtUp(key: ReplicaKey, primary: DatabaseAddress): Promise<DatabaseAddress> {
    const lsn = await written(primary, key.ref)
    const { provider } = world()
    let address: DatabaseAddress | undefined
    await expect
      .poll(async () => {
        const all = await replicasOf(provider).list(key.ref, password(key.ref))
        const one = all.find(({ id }) => id === key.id)
        address = one?.address
        if (!address || one?.state !== 'streaming') return one?.state
        const sql = `select pg_last_wal_replay_lsn() >= '${String(lsn)}'`
        return ask(address, customer(key.ref), sql)
      }, within)
      .toBe(true)
    if (!address) throw new Error('It has no address')
    return address
  }
  async function made(id = 'abcde') {
    const { provider } = world()
    const ref = testRef()
    const at = await provider.create(specOf(ref))
    await ask(at, customer(ref), 'create table t as select 7 as n')
    const key = { ref, id }
    const replica = await replicasOf(provider).make(key, password(ref))
    return { ref, at, key, replica }
  }

  test('what is no id is refused, and of what nobody made nothing is there', async () => {
    const { provider } = world()
    const replicas = replicasOf(provider)
    const ref = testRef()
    for (const id of ['', 'abcd', 'ABCDE', '../..'])
      await expect(replicas.make({ ref, id }, 'x')).rejects.toThrow(TypeError)
    const key = { ref, id: 'abcde' }
    await expect(replicas.make(key, 'x')).rejects.toThrow(UnknownProjectError)
    await expect(replicas.restart(key)).rejects.toThrow(UnknownReplicaError)
    await replicas.drop(key, 'x')
    expect(await replicas.list(ref, 'x')).toEqual([])
  })

  test('a replica has the rows of its project a moment later, with its passwords, and takes no writes', async () => {
    const { provider } = world()
    const { ref, at, key, replica } = await made()
    expect(await ask(replica, customer(ref), 'select n from t')).toBe(7)
    await ask(at, customer(ref), 'insert into t values (8)')
    await caughtUp(key, at)
    expect(await ask(replica, customer(ref), 'select max(n) from t')).toBe(8)
    await expect(ask(replica, customer(ref), 'insert into t values (9)')).rejects.toMatchObject({
      code: '25006',
    })
    expect(await replicasOf(provider).make(key, password(ref))).toEqual(replica)
    await provider.destroy(ref)
  })

  test('it follows its project through a restart, another size, a pause and a kill of the platform', async () => {
    const { ref, at, key } = await made()
    const provider = world().provider
    const check = async (primary: DatabaseAddress, n: number) => {
      await ask(primary, customer(ref), `insert into t values (${n})`)
      const replica = await caughtUp(key, primary)
      expect(await ask(replica, customer(ref), 'select max(n) from t')).toBe(n)
    }
    await check(await provider.restart(ref), 10)
    if (provider.resize) {
      await check((await provider.resize(ref, { maxConnections: 90 })).address, 11)
      await check((await provider.resize(ref, { maxConnections: 40 })).address, 12)
    }
    await provider.stop(ref)
    expect(await replicasOf(provider).list(ref, password(ref))).toMatchObject([
      { id: key.id, state: 'stopped' },
    ])
    await check(await provider.start(ref), 13)
    await replicasOf(provider).restart(key)
    await check(at, 14)
    await provider.destroy(ref)
    expect(await world().harness.tracesOf(ref)).toEqual([])
  })

  test('dropped, nothing is left of it, also of a project that is stopped', async () => {
    const { provider, harness } = world()
    const { ref, at, key } = await made()
    const replicas = replicasOf(provider)
    const slots = () => ask(at, customer(ref), 'select count(*)::int from pg_replication_slots')
    await replicas.make({ ref, id: 'fghij' }, password(ref))
    expect(await slots()).toBe(2)
    for (let i = 0; i < 2; i++) await replicas.drop(key, password(ref))
    expect(await slots()).toBe(1)
    expect((await harness.tracesOf(ref)).filter((name) => name.includes(key.id))).toEqual([])
    expect(await replicas.list(ref, password(ref))).toMatchObject([{ id: 'fghij' }])
    await provider.stop(ref)
    await replicas.drop({ ref, id: 'fghij' }, password(ref))
    const again = await provider.start(ref)
    expect(await ask(again, customer(ref), 'select count(*)::int from pg_replication_slots')).toBe(
      0,
    )
    await provider.destroy(ref)
  })

  test('promoted, it is the server of its project, with all that was written and at the same address', async () => {
    const { provider, harness } = world()
    const { ref, at, key } = await made()
    const replicas = replicasOf(provider)
    await caughtUp(key, at)
    await ask(at, customer(ref), 'insert into t select generate_series(8, 100)')
    const how = { order: 'promotion', force: false }
    const now = await replicas.promote(key, password(ref), how)
    expect(now).toEqual(at)
    await ask(now, customer(ref), 'insert into t values (101)')
    expect(await ask(now, customer(ref), 'select count(*)::int from t')).toBe(95)
    expect(await replicas.list(ref, password(ref))).toEqual([])
    // The same order, such as after a crash of whoever gave it, changes nothing any more.
    expect(await replicas.promote(key, password(ref), how)).toEqual(now)
    const other = { order: 'another', force: true }
    await expect(replicas.promote(key, password(ref), other)).rejects.toThrow(UnknownReplicaError)
    expect(await ask(now, customer(ref), 'select count(*)::int from t')).toBe(95)
    await provider.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
  })

  test('after a restore in place it is told as broken, and made anew it has what was restored', async () => {
    const { provider } = world()
    const { ref, at, key } = await made()
    const { backups } = provider
    if (!backups) return
    await backups.make({ ref, id: '1' }, password(ref))
    await ask(at, customer(ref), 'insert into t values (99)')
    const restored = await backups.restore(specOf(ref), { ref, id: '1' }, 'replica-order')
    expect(await replicasOf(provider).list(ref, password(ref))).toMatchObject([
      { id: key.id, state: 'broken' },
    ])
    await replicasOf(provider).make(key, password(ref))
    const replica = await caughtUp(key, restored)
    expect(await ask(replica, customer(ref), 'select max(n) from t')).toBe(7)
    await provider.destroy(ref)
  })
}
