import fc from 'fast-check'
import type { Client } from 'pg'
import { expect } from 'vitest'
import type { Change } from '#contract/ddl/change'
import { quoteIdent } from '#contract/ddl/sql-text'
import { withClient } from '#kit/postgres/client'
import type { Queryable } from '../../pg-meta/queryable.ts'
import type { Meta } from './pg-meta.ts'

const runs = 1000
/** So many at once, each in a schema of its own: one statement for all of them, one question for all of them. */
const batch = 100

/** What becomes of a thing from its making to its end. `place` is a schema, and the beginning of names that have none. */
export type Life<Spec, Found> = {
  spec: fc.Arbitrary<Spec>
  /** SQL that stands before it is made: its table, its function. */
  before?: (spec: Spec, place: string) => string
  /** What the metadata API tells of them, by their places. */
  list: (db: Queryable, places: readonly string[]) => Promise<Map<string, Found>>
  create: (spec: Spec, place: string) => Change
  created: (found: Found, spec: Spec, place: string) => void
  /** Undefined: such a thing cannot be changed. */
  edit: (found: Found, spec: Spec, place: string) => Change | undefined
  edited: (found: Found, spec: Spec, place: string) => void
  drop: (found: Found) => Change
  /** What must be the same after there and back; ids are others when something was made anew. */
  same?: (found: Found) => unknown
}

type One<Spec, Found> = { spec: Spec; place: string; found: Found | undefined }

/**
 * A thousand random things are made, listed, changed, renamed, taken back, changed again, dropped and brought back on a
 * real server, where nothing of it stays. @throws with the seed that makes the same ones again
 */
export async function live<Spec, Found>(meta: Meta, life: Life<Spec, Found>): Promise<void> {
  const seed = Date.now()
  const specs = fc.sample(life.spec, { numRuns: runs, seed })
  await withClient(meta.db.configFor('postgres'), async (db) => {
    for (let at = 0; at < runs; at += batch) {
      const cases = specs
        .slice(at, at + batch)
        .map((spec, n) => ({ spec, place: `p${n}`, found: undefined }))
      try {
        await db.query('begin')
        await liveTogether(db, life, cases)
      } catch (error) {
        throw new Error(`seed ${seed}, of ${at} and the ${batch} after it`, { cause: error })
      } finally {
        await db.query('rollback')
      }
    }
  })
}

async function liveTogether<Spec, Found>(
  db: Client,
  life: Life<Spec, Found>,
  cases: One<Spec, Found>[],
): Promise<void> {
  const places = cases.map(({ place }) => place)
  const look = async (there: readonly One<Spec, Found>[]) => {
    const found = await life.list(db, places)
    expect([...found.keys()].toSorted()).toEqual(there.map(({ place }) => place).toSorted())
    for (const one of there) one.found = found.get(one.place)
    return there.map((one) => ({ ...one, found: one.found as Found })) // each was just seen there
  }
  const same = life.same ?? withoutId<Found>
  await db.query(
    "set local check_function_bodies = off; set local client_min_messages = 'error'; set local jit = off",
  )
  await each(db, cases, ({ spec, place }) => [
    `create schema ${quoteIdent(place)}`,
    ...(life.before ? [life.before(spec, place)] : []),
  ])
  await each(db, cases, ({ spec, place }) => life.create(spec, place).statements)
  const made = await look(cases)
  for (const { found, spec, place } of made) life.created(found, spec, place)

  const changes = new Map(
    made.map(({ found, spec, place }) => [place, life.edit(found, spec, place)]),
  )
  const stepsOf = (kind: 'statements' | 'inverse') => (one: One<Spec, Found>) =>
    changes.get(one.place)?.[kind] ?? []
  await each(db, cases, stepsOf('statements'))
  const changed = await look(cases)
  for (const { found, spec, place } of changed)
    if (changes.get(place)) life.edited(found, spec, place)

  const back = cases.filter(({ place }) => changes.get(place)?.inverse)
  await each(db, back, stepsOf('inverse'))
  await look(cases)
  for (const [at, one] of made.entries())
    if (back.some(({ place }) => place === one.place))
      expect(same(cases[at]?.found as Found), `${one.place} taken back`).toEqual(same(one.found)) // as above
  await each(db, back, stepsOf('statements'))
  const again = await look(cases)
  for (const [at, { found }] of again.entries())
    expect(same(found)).toEqual(same(changed[at]?.found as Found)) // as above

  const drops = new Map(again.map(({ found, place }) => [place, life.drop(found)]))
  await each(db, cases, ({ place }) => drops.get(place)?.statements ?? [])
  await look([])
  const brought = again.filter(({ place }) => drops.get(place)?.inverse)
  await each(db, brought, ({ place }) => drops.get(place)?.inverse ?? [])
  const risen = await look(brought)
  for (const [at, { found }] of risen.entries())
    expect(same(found)).toEqual(same(brought[at]?.found as Found)) // as above
}

const withoutId = <Found>(found: Found): unknown => ({ ...found, id: undefined })

/** All statements as one; where that fails, again one by one, to tell which it was. */
async function each<T>(db: Client, cases: readonly T[], of: (one: T) => readonly string[]) {
  const all = cases.map((one) => of(one))
  const sql = all.flat().join(';\n')
  if (sql === '') return
  await db.query('savepoint all_of_them')
  try {
    await db.query(sql)
  } catch (error) {
    await db.query('rollback to all_of_them')
    for (const statements of all)
      for (const statement of statements)
        await db.query(statement).catch((cause: unknown) => {
          throw new Error(statements.join(';\n'), { cause })
        })
    throw error
  }
}

/** All schemas of a batch, for the lists. */
export const within = (places: readonly string[]) => ({
  include_system_schemas: 'false' as const,
  included_schemas: places.join(','),
  offset: 0,
})
