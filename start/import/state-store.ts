import { createHash } from 'node:crypto'
import { z } from 'zod'
import { RefusedError } from '../manage/manage-client.ts'
import type { Session } from './connections.ts'
import { parts, type LeftOut } from './report.ts'

/**
 * What has been imported is written down in the target's own database, in the transaction that imports it: whenever the
 * program ends, the two agree, so nothing comes twice and nothing is taken for done. Whoever drops the schema forgets.
 */
const make = [
  'create schema if not exists plinth_import',
  `create table if not exists plinth_import.source (
    single boolean primary key default true check (single), label text not null, begun_at timestamptz not null default now()
  )`,
  `create table if not exists plinth_import.done (
    kind text, key text, detail jsonb not null, at timestamptz not null default now(), primary key (kind, key)
  )`,
]

/** Names can be longer than an index takes. */
const keyOf = (name: string) =>
  name.length <= 500 && !name.includes('\0')
    ? name
    : createHash('sha256').update(name).digest('hex')

const Left = z.array(
  z.object({ part: z.enum(parts), kind: z.string(), name: z.string(), reason: z.string() }),
)

/** What is known of something that is done; `left`: what of it is not, which later runs tell again. */
export type Detail = Record<string, unknown> & { left?: LeftOut[] }

/** The label of the source that this target has something of, or undefined. */
export async function knownSource(db: Session): Promise<string | undefined> {
  const there = await db.query<{ yes: boolean }>(
    `select to_regclass('plinth_import.source') is not null as yes`,
  )
  if (there.rows[0]?.yes !== true) return undefined
  const { rows } = await db.query<{ label: string }>('select label from plinth_import.source')
  return rows[0]?.label
}

export async function openState(db: Session, label: string) {
  for (const statement of make) await db.query(statement)
  await db.query(
    `insert into plinth_import.source (label) values ($1) on conflict (single) do update set label = excluded.label`,
    [label],
  )
  return {
    async find(kind: string, name: string): Promise<Detail | undefined> {
      const { rows } = await db.query<{ detail: Detail }>(
        `select detail from plinth_import.done where kind = $1 and key = $2`,
        [kind, keyOf(name)],
      )
      return rows[0]?.detail
    },
    /** Those of the names that are done. */
    async known(kind: string, names: readonly string[]): Promise<Set<string>> {
      const { rows } = await db.query<{ key: string }>(
        `select key from plinth_import.done where kind = $1 and key = any ($2::text[])`,
        [kind, names.map(keyOf)],
      )
      const keys = new Set(rows.map(({ key }) => key))
      return new Set(names.filter((name) => keys.has(keyOf(name))))
    },
    /** What earlier runs have left out for good: it is not found a second time. */
    async findings(): Promise<LeftOut[]> {
      const { rows } = await db.query<{ left: unknown }>(
        `select detail -> 'left' as left from plinth_import.done where detail ? 'left' order by at`,
      )
      return rows.flatMap(({ left }) => Left.parse(left))
    },
    /** In the transaction that is open, where there is one. */
    async note(kind: string, name: string, detail: Detail = {}): Promise<void> {
      await db.query(
        `insert into plinth_import.done (kind, key, detail) values ($1, $2, $3)
         on conflict (kind, key) do update set detail = excluded.detail, at = now()`,
        [kind, keyOf(name), JSON.stringify(detail)],
      )
    },
  }
}
export type State = Awaited<ReturnType<typeof openState>>

/** Of a rehearsal, which notes nothing. */
export const noState: State = {
  find: () => Promise.resolve(undefined),
  known: () => Promise.resolve(new Set()),
  findings: () => Promise.resolve([]),
  note: () => Promise.resolve(),
}

/** One import at a time; ends with the session. @throws RefusedError */
export async function lockTarget(db: Session): Promise<void> {
  const { rows } = await db.query<{ mine: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('plinth import', 0)) as mine`,
  )
  if (rows[0]?.mine !== true) throw new RefusedError('another import into this project is running')
}

/** All or nothing. */
export async function inTransaction<T>(db: Session, work: () => Promise<T>): Promise<T> {
  await db.query('begin')
  try {
    const result = await work()
    await db.query('commit')
    return result
  } catch (error) {
    // A connection that is gone has rolled back by itself.
    await db.query('rollback').catch(() => undefined)
    throw error
  }
}
