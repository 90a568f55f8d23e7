import { dataPlaneApi } from '#contract/data-plane-api'
import { leavesTransaction, splitStatements } from '#contract/database/sql/sql-statements'
import type { DataPlane } from '../../data-plane/client.ts'
import { runStatements } from '../../data-plane/run.ts'

/** Which files of rows a database has had, as public command line clients note it. */
const path = 'supabase/seed.sql'
const tableSql = `select to_regclass('supabase_migrations.seed_files') is not null as there`
const knownSql = `select from supabase_migrations.seed_files where path = '${path}'`
const noteSql = `create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null);
insert into supabase_migrations.seed_files (path, hash) values ('${path}', '{hash}');
`

type Seed = { sql: string; hash: string; by: string }

/** The rows that a branch begins with. They and the note that they are there come together, or not at all. */
export function seedStore(dataPlane: DataPlane) {
  const as = 'plinth-git' as const
  const rowsOf = (ref: string, query: string) =>
    dataPlane.ask(dataPlaneApi.query, {
      params: { ref },
      login: 'postgres',
      as,
      body: { query },
    })
  return {
    async isSeeded(ref: string): Promise<boolean> {
      const [table] = await rowsOf(ref, tableSql)
      return table?.['there'] === true && (await rowsOf(ref, knownSql)).length > 0
    },

    /** @throws Error with what Postgres says of the first statement that fails */
    async run(ref: string, { sql, hash, by }: Seed): Promise<void> {
      if (splitStatements(sql).some(leavesTransaction))
        throw new Error('It cannot begin or end transactions')
      const events = await runStatements(dataPlane, {
        ref,
        as,
        by,
        query: noteSql.replace('{hash}', hash) + sql,
        oneTransaction: true,
      })
      const failed = events.find((event) => event.type === 'error')
      if (failed) throw new Error(failed.error.message)
      if (!events.some((event) => event.type === 'end' && !event.rolled_back))
        throw new Error('It was broken off')
    },
  }
}
export type SeedStore = ReturnType<typeof seedStore>
