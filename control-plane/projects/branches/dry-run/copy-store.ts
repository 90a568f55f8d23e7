import { dataPlaneApi } from '#contract/data-plane-api'
import type { DataPlane } from '../../../data-plane/client.ts'
import { runStatements } from '../../../data-plane/run.ts'

/** Something that has rows, and where its rows are. */
export type Relation = { oid: string; name: string; kind: string; file: string }

/**
 * Everything that can be locked by name and is not the server's own. `file` is another one when the rows were written anew.
 */
const relationsSql = `
  select c.oid::text as oid, format('%I.%I', n.nspname, c.relname) as name, c.relkind::text as kind, c.relfilenode::text as file
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'm', 'v', 'f')
    and n.nspname <> all (array['pg_catalog', 'information_schema', 'pg_toast']) and n.nspname not like 'pg\\_temp%'`

/**
 * What the session that asks holds until its transaction ends. Without names: what the transaction has dropped has none in it any more.
 * Everything is named by its schema, since a migration may have changed where names are looked for.
 */
export const locksSql = `select l.relation::pg_catalog.text, l.mode from pg_catalog.pg_locks l
  where l.pid operator(pg_catalog.=) pg_catalog.pg_backend_pid() and l.locktype operator(pg_catalog.=) 'relation' and l.granted
    and l.database operator(pg_catalog.=) (select d.oid from pg_catalog.pg_database d
      where d.datname operator(pg_catalog.=) pg_catalog.current_database())`

type Run = { query: string; oneTransaction: boolean; signal: AbortSignal }

/** What is asked of the database of a copy, as the owner of the project's databases. */
export function copyStore(dataPlane: DataPlane) {
  const as = 'plinth-dry-run' as const
  return {
    relations: async (ref: string): Promise<Relation[]> =>
      (await dataPlane.ask(dataPlaneApi.query, {
        params: { ref },
        login: 'plinth_read_only',
        as,
        body: { query: relationsSql },
      })) as Relation[],

    /** What happened, until the first failure. */
    run: (ref: string, run: Run) => runStatements(dataPlane, { ref, as, ...run }),
  }
}
export type CopyStore = ReturnType<typeof copyStore>
