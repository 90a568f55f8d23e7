import { withClient, type Client } from '#kit/postgres/client'
import { arrayLiteral } from '../../rest/query/array-literal.ts'
import { parseCatalog } from '../../rest/catalog/catalog.ts'
import { catalogSql } from '../../rest/catalog/catalog-sql.ts'
import { readCatalog } from '../../rest/catalog/read-catalog.ts'
import type { TestDataPlane } from '../data-plane.ts'

/** What of each table in `public` runs no code but the server's own, as the data API sees it: `insert update delete`. */
export async function plainVerbs(
  { database }: TestDataPlane,
  client?: Client,
): Promise<Record<string, string>> {
  const read = async (session: Client) => {
    await session.query("set search_path = ''")
    const values = [arrayLiteral(['public'])]
    return (await session.query({ text: catalogSql, values, rowMode: 'array' })).rows
  }
  const rows = await (client
    ? read(client)
    : withClient(database.configFor('authenticator_anon'), read))
  const { relations } = readCatalog(await parseCatalog(rows as string[][]), 1)
  const verbs = ['insert', 'update', 'delete'] as const
  return Object.fromEntries(
    [...(relations.get('public')?.values() ?? [])].map(({ name, plain }) => [
      name,
      verbs.filter((verb) => plain[verb]).join(' '),
    ]),
  )
}

/**
 * `touched(x)` leaves an advisory lock in the session that calls it, and counts its calls in a sequence; `pure(x)` does the same and
 * says that it does not. `touch()` is the same as a trigger, which leaves a temporary table, too.
 */
export const touching = `
  create sequence touches;
  create function touched(x int) returns int language plpgsql volatile security definer as $$ begin
    perform pg_advisory_lock(1), nextval('public.touches');
    return x;
  end $$;
  create function pure(x int) returns int language plpgsql immutable security definer as $$ begin
    perform pg_advisory_lock(1), nextval('public.touches');
    return x;
  end $$;
  create function touch() returns trigger language plpgsql security definer set client_min_messages = error as $$ begin
    create temp table if not exists left_behind (id int);
    perform public.touched(1);
    return coalesce(new, old);
  end $$;`

/** Whether `touched` was called since the last question, and what is left of that in any session of the database. */
export async function touchedSince(plane: TestDataPlane): Promise<boolean> {
  const [row] = await plane.sql('select is_called from public.touches')
  // Not by ALTER SEQUENCE: the data API would read its schema anew, and tidy up.
  await plane.sql("select setval('public.touches', 1, false)")
  return row?.['is_called'] === true
}

export async function tracesOf(plane: TestDataPlane): Promise<number> {
  const [row] = await plane.sql(`select (select count(*) from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database()))::int
    + (select count(*) from pg_class where relname = 'left_behind')::int as left`)
  return Number(row?.['left'])
}
