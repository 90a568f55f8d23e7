import { expect, test } from 'vitest'
import type { Place } from './capabilities.ts'
import { ask, loginsOf, specOf, testRef } from './conformance-project.ts'
import type { Harness } from './conformance.ts'
import {
  NotCoveredError,
  UnknownBackupError,
  type Backups,
  type DatabaseAddress,
  type Provider,
} from '../provider.ts'

const within = { timeout: 120_000, interval: 50 }

/** What a provider with backups promises of them. */
export function backupTests(
  world: () => { harness: Harness; provider: Provider },
  { names }: Place,
): void {
  const { customer } = loginsOf(names)
  const backups = (): Backups => {
    const found = world().provider.backups
    if (!found) throw new Error('This provider keeps no backups')
    return found
  }
  const password = (ref: string) => specOf(ref).passwords.admin
  const count = (at: DatabaseAddress, ref: string) =>
    ask(at, customer(ref), 'select count(*)::int from notes')
  async function made() {
    const ref = testRef()
    const at = await world().provider.create(specOf(ref))
    await ask(at, customer(ref), 'create table notes as select generate_series(1, 500) as id')
    return { ref, at, key: { ref, id: '1' } }
  }

  test('what is backed up is read back, comes back in its place, once for each order, and goes', async () => {
    const { provider, harness } = world()
    const { ref, at, key } = await made()
    await expect(backups().facts(key)).rejects.toThrow(UnknownBackupError)
    const facts = await backups().make(key, password(ref))
    expect(await backups().make(key, password(ref))).toEqual(facts)
    expect(await backups().facts(key)).toEqual(facts)
    const { rows } = await backups().check(key, password(ref))
    expect(rows).toBeGreaterThanOrEqual(500)
    expect(await backups().list(ref)).toEqual(['1'])
    expect(await backups().refs()).toContain(ref)
    await ask(at, customer(ref), 'delete from notes where id > 100')
    const restored = await backups().restore(specOf(ref), key, 'an order')
    expect(await count(restored, ref)).toBe(500)
    expect(await provider.inspect(ref)).toEqual({ state: 'running', address: restored })
    await ask(restored, customer(ref), 'insert into notes values (501)')
    const again = await backups().restore(specOf(ref), key, 'an order')
    expect(await count(again, ref)).toBe(501)
    for (let i = 0; i < 2; i++) await backups().remove(key)
    await expect(backups().restore(specOf(ref), key, 'another')).rejects.toThrow(UnknownBackupError)
    expect(await count(await provider.start(ref), ref)).toBe(501)
    await provider.destroy(ref)
    expect(await harness.tracesOf(ref)).toEqual([])
    expect(await backups().refs()).not.toContain(ref)
  })

  test('with an archive a new project is what another one was at a moment', async () => {
    const { provider, harness } = world()
    const { ref, at, key } = await made()
    const now = async (where: DatabaseAddress) =>
      new Date(
        Number(
          await ask(
            where,
            customer(ref),
            'select ceil(extract(epoch from clock_timestamp()) * 1000)',
          ),
        ),
      )
    const before = await now(at)
    const archiving = (await backups().setArchive(ref, true)) ?? at
    const { takenAt } = await backups().make(key, password(ref))
    expect(await backups().windows(ref)).toEqual([{ from: takenAt, to: undefined }])
    await expect
      .poll(() => now(archiving), within)
      .toSatisfy((moment: Date) => moment.getTime() > takenAt.getTime())
    const moment = await now(archiving)
    await ask(archiving, customer(ref), 'drop table notes')
    const copy = testRef()
    const copyAt = await backups().restore(specOf(copy), { ref, until: moment }, 'a copy')
    expect(await count(copyAt, copy)).toBe(500)
    await expect(ask(copyAt, customer(ref), 'select 1')).rejects.toThrow(/authentication/)
    await expect(
      backups().restore(specOf(ref), { ref, until: before }, 'too early'),
    ).rejects.toThrow(NotCoveredError)
    for (const one of [ref, copy]) {
      await provider.destroy(one)
      expect(await harness.tracesOf(one)).toEqual([])
    }
  })
}
