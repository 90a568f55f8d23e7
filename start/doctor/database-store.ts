import { withClient, type Client } from '#kit/postgres/client'

export type DatabaseFacts = {
  /** Of the server, such as `17.10`, and as a number. */
  version: string
  number: number
  encoding: string
  isCopy: boolean
  connections: number
  /** How far its clock is before ours; less than what the way of the question took counts as nothing. */
  skewMs: number
  /** Schemas of Plinth that are there and belong to somebody else. */
  foreign: string[]
  /** Why nothing can be made in it; undefined: it can. */
  refusal: string | undefined
}

/** Everything that a look at the platform's database tells. Nothing that it tries out stays. */
export const factsOf = (connectionString: string): Promise<DatabaseFacts> =>
  withClient({ connectionString, connectionTimeoutMillis: 10_000 }, async (client) => {
    const { rows } = await client.query<Omit<DatabaseFacts, 'skewMs' | 'foreign' | 'refusal'>>(
      `select split_part(current_setting('server_version'), ' ', 1) as version,
        current_setting('server_version_num')::int as number,
        current_setting('server_encoding') as encoding,
        pg_is_in_recovery() as "isCopy",
        current_setting('max_connections')::int as connections`,
    )
    const [found] = rows
    if (!found) throw new Error('The server said nothing of itself')
    const skewMs = await skewOf(client)
    const { rows: owned } = await client.query<{ name: string }>(
      `select nspname::text as name from pg_namespace
       where nspname in ('platform', 'auth', 'dbos') and not pg_has_role(nspowner, 'usage')
       order by 1`,
    )
    const refusal = found.isCopy ? undefined : await refusalOf(client)
    return { ...found, skewMs, foreign: owned.map(({ name }) => name), refusal }
  })

async function skewOf(client: Client): Promise<number> {
  const before = Date.now()
  const { rows } = await client.query<{ now: string }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::text as now',
  )
  const after = Date.now()
  const skew = Number(rows[0]?.now) - (before + after) / 2
  return Math.abs(skew) <= (after - before) / 2 ? 0 : skew
}

/** Makes what a first start makes, and takes it back. */
async function refusalOf(client: Client): Promise<string | undefined> {
  await client.query('begin')
  try {
    await client.query('create schema plinth_doctor')
    await client.query('create table plinth_doctor.tried (id int)')
    await client.query('create table public.plinth_doctor (id int)')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await client.query('rollback')
  }
}
