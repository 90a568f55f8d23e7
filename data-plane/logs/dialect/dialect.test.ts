import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { QueryRefusal } from './node.ts'
import { translated } from './query.ts'
import { readable, type Dialect } from './tokens.ts'

let engine: DuckDBConnection
const start = Date.UTC(2026, 10, 27, 10)

beforeAll(async () => {
  engine = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
  await engine.run(`create macro now_utc() as timestamp '2026-11-27 12:00:00'`)
  for (const source of ['edge_logs', 'postgres_logs', 'logs'])
    await engine.run(`create table ${source} (id varchar, "timestamp" timestamp, source varchar, level varchar, event_message varchar,
      request_id varchar, method varchar, path varchar, search varchar, host varchar, status double, duration double,
      request_bytes double, response_bytes double, address varchar, user_agent varchar, cache_status varchar, severity varchar,
      user_id varchar, function_id varchar, execution_id varchar, rest varchar)`)
  for (let n = 0; n < 6; n++) {
    const at = (start + n * 20 * 60_000) * 1000
    const status = n === 3 ? 500 : n === 4 ? 404 : 200
    const rest = JSON.stringify({ 'request.cf.country': n < 3 ? 'CH' : 'FR' })
    await engine.run(
      `insert into edge_logs (id, "timestamp", source, level, event_message, method, path, status, duration, rest)
       values ($1, make_timestamp($2::bigint), 'edge_logs', 'info', 'GET | ' || $3::int, 'GET', $4, $3::double, $5::double, $6)`,
      [`e${n}`, BigInt(at), status, n % 2 ? '/rest/v1/books' : '/auth/v1/user', n * 10, rest],
    )
  }
  await engine.run(`insert into logs select * from edge_logs`)
})

/** The one text that a statement answers for a value. */
async function textOf(sql: string, value: string): Promise<string> {
  const [row = []] = (await engine.runAndReadAll(sql, [value])).getRows()
  const [found] = row
  if (typeof found !== 'string') throw new Error('no text')
  return found
}

async function run(sql: string, dialect: Dialect = 'analytics') {
  const parsed = await textOf('select json_serialize_sql($1::varchar)', readable(sql, dialect))
  const { tree, sources } = translated(JSON.parse(parsed), dialect)
  const printed = await textOf('select json_deserialize_sql($1::json)', JSON.stringify(tree))
  const rows = await engine.runAndReadAll(printed)
  return { sources: [...sources], rows: rows.getRowObjectsJson() }
}
const rowsOf = async (sql: string, dialect?: Dialect) => (await run(sql, dialect)).rows
const refusalOf = (sql: string, dialect?: Dialect) =>
  run(sql, dialect).then(
    ({ rows }) => `ran: ${JSON.stringify(rows)}`,
    (error: unknown) => {
      if (!(error instanceof QueryRefusal)) throw error
      return error.message
    },
  )

describe('the older dialect', () => {
  it('reads unnested fields', async () => {
    const { rows, sources } = await run(`
      select id, request.method, response.status_code, request.cf.country
      from edge_logs
      cross join unnest(metadata) as m
      cross join unnest(m.request) as request
      cross join unnest(m.response) as response
      where response.status_code >= 500 -- only what failed
      order by timestamp desc limit 100;`)
    expect(sources).toEqual(['edge_logs'])
    expect(rows).toEqual([{ id: 'e3', method: 'GET', status_code: 500, country: 'FR' }])
  })

  it('groups by what is selected under a name before it groups by a field of that name', async () => {
    expect(
      await rowsOf(`select timestamp_trunc(timestamp, hour) as timestamp, count(*) as count,
        countif(response.status_code >= 400) as bad
        from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response
        group by timestamp order by timestamp`),
    ).toEqual([
      { timestamp: '2026-11-27 10:00:00', count: '3', bad: '0' },
      { timestamp: '2026-11-27 11:00:00', count: '3', bad: '2' },
    ])
  })

  it('answers times that are cast as ISO text', async () => {
    expect(
      await rowsOf(
        `select cast(timestamp as datetime) as timestamp from edge_logs order by timestamp desc limit 1`,
      ),
    ).toEqual([{ timestamp: '2026-11-27T11:40:00.000000' }])
  })

  it('has double-quoted and raw texts, backticks, safe_cast and offsets', async () => {
    expect(
      await rowsOf(
        'select `path`, safe_cast("x" as int64) as n, split(path, "/")[offset(1)] as service, regexp_contains(path, r"^/rest\\b") as rest ' +
          'from edge_logs, unnest(metadata) as m, unnest(m.request) as request where path like "%books" limit 1',
      ),
    ).toEqual([{ path: '/rest/v1/books', n: null, service: 'rest', rest: true }])
  })

  it('has the arithmetic of times', async () => {
    expect(
      await rowsOf(
        `select id from edge_logs where timestamp > timestamp_sub(current_timestamp(), interval 30 minute)`,
      ),
    ).toEqual([{ id: 'e5' }])
  })

  it('has WITH, subqueries, CASE, HAVING, windows and sets', async () => {
    expect(
      await rowsOf(`with per as (
          select request.path as path, count(*) as n from edge_logs cross join unnest(metadata) as m
          cross join unnest(m.request) as request group by path having n > 1
        )
        select p.path, case when p.n > 2 then 'often' else 'seldom' end as how,
          row_number() over (order by p.path) as place,
          (select max(n) from per) as most
        from per as p order by place`),
    ).toEqual([
      { path: '/auth/v1/user', how: 'often', place: '1', most: '3' },
      { path: '/rest/v1/books', how: 'often', place: '2', most: '3' },
    ])
    expect(
      await rowsOf(
        `select id from edge_logs where id = 'e1' union all select id from edge_logs where id = 'e2' order by id`,
      ),
    ).toEqual([{ id: 'e1' }, { id: 'e2' }])
  })

  it('nests metadata as public clients expect it', async () => {
    const [row] = await rowsOf(`select metadata from edge_logs where id = 'e3'`)
    const { metadata: found } = row ?? {}
    const metadata: unknown = typeof found === 'string' ? JSON.parse(found) : undefined
    expect(metadata).toMatchObject([
      {
        request: [{ method: 'GET', path: '/rest/v1/books', cf: [{ country: 'FR', city: null }] }],
        response: [{ status_code: 500 }],
      },
    ])
    const [star] = await rowsOf(`select * from edge_logs where id = 'e3'`)
    expect(Object.keys(star ?? {})).toEqual(['id', 'timestamp', 'event_message', 'metadata'])
  })

  it('has fields that only others could fill, empty', async () => {
    expect(
      await rowsOf(
        `select request.cf.city from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request limit 1`,
      ),
    ).toEqual([{ city: null }])
  })

  it('has approx_quantiles with an offset', async () => {
    const [row] =
      await rowsOf(`select approx_quantiles(response.origin_time, 100)[offset(50)] as p50 from edge_logs
      cross join unnest(metadata) as m cross join unnest(m.response) as response`)
    expect(Number(row?.['p50'])).toBe(25)
  })
})

describe('arithmetic', () => {
  it('divides by nothing to nothing, and counts each value once, exactly', async () => {
    expect(
      await rowsOf(
        `select safe_divide(6, 0) as none, safe_divide(6, 0.0) as still_none, safe_divide(6, 4) as half,
          uniqExact(status) as statuses, countIf(status = 200) as ok from logs`,
        'columns',
      ),
    ).toEqual([{ none: null, still_none: null, half: 1.5, statuses: '3', ok: '4' }])
  })
})

describe('the newer dialect', () => {
  it('reads attributes of one table', async () => {
    expect(
      await rowsOf(
        `select toStartOfHour(timestamp) as hour, countIf(toInt32(log_attributes['response.status_code']) >= 500) as errors,
          quantile(0.5)(toFloat64(log_attributes['metadata.response.origin_time'])) as p50, log_attributes['request.cf.country'] as country
         from logs where source = 'edge_logs' group by hour, country order by hour, country`,
        'columns',
      ),
    ).toEqual([
      { hour: '2026-11-27 10:00:00', errors: '0', p50: 10, country: 'CH' },
      { hour: '2026-11-27 11:00:00', errors: '1', p50: 40, country: 'FR' },
    ])
  })
})

describe('what is refused', () => {
  it.each([
    [
      'select request.metod from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request',
      'Unknown field "request.metod". Did you mean "request.method"?',
    ],
    ['select * from edge_log', 'Unknown source "edge_log". Did you mean "edge_logs"?'],
    [
      'select regexp_contain(id, "x") from edge_logs',
      'Unknown function "regexp_contain". Did you mean "regexp_contains"?',
    ],
    ['select 1; select 2', 'A query of logs is one SELECT'],
    ['drop table edge_logs', 'Only SELECT can be used in a query of logs'],
    ['', 'A query of logs is one SELECT'],
    [
      'select timestamp_trunc(timestamp, fortnight) from edge_logs',
      '"fortnight" is no unit of time',
    ],
  ])('%s', async (sql, message) => {
    expect(await refusalOf(sql)).toBe(message)
  })

  /** Each of these would read, write or learn something that is no entry of the source. */
  it.each([
    `select * from 'logs/other/2026-11-27/a.parquet'`,
    `select * from read_parquet('*.parquet')`,
    `select * from read_text('/etc/passwd')`,
    `select * from read_csv_auto('/etc/passwd')`,
    `select * from glob('*')`,
    `select * from duckdb_settings()`,
    `select * from duckdb_tables()`,
    `select * from information_schema.tables`,
    `select * from main.edge_logs`,
    `select * from pg_catalog.pg_tables`,
    `select * from sqlite_master`,
    `select * from entries`,
    `select * from storage_logs_`,
    `select current_setting('temp_directory')`,
    `select getenv('HOME')`,
    `select version()`,
    `select repeat('x', 1000000000)`,
    `select lpad('x', 1000000000, 'y')`,
    `select rpad('x', 1000000000, 'y')`,
    `select * from range(1000000000000)`,
    `select * from generate_series(1, 1000000000000)`,
    `select unnest(range(100000000))`,
    `select list_transform([1], x -> x) from edge_logs`,
    `select * from edge_logs tablesample 10%`,
    `with recursive a as (select 1 as n union all select n + 1 from a) select * from a`,
    `select * from query('select 1')`,
    `select * from query_table('edge_logs')`,
    `select query('select 1')`,
    `copy edge_logs to '/tmp/x'`,
    `attach '/tmp/x.db'`,
    `pragma database_list`,
    `select columns('.*') from edge_logs`,
    `select * exclude (id) from edge_logs`,
    `select * replace (getenv('HOME') as id) from edge_logs`,
    `from edge_logs select getenv('HOME')`,
    `select id from edge_logs order by getenv('HOME')`,
    `select id from edge_logs limit (select count(*) from duckdb_settings())`,
    `select distinct on (getenv('HOME')) id from edge_logs`,
    `select count(*) filter (where getenv('HOME') = 'x') from edge_logs`,
    `select sum(1) over (partition by getenv('HOME')) from edge_logs`,
    `select sum(1) over (order by id rows between getenv('HOME')::int preceding and current row) from edge_logs`,
    `select id from edge_logs qualify getenv('HOME') = 'x'`,
    `select id from edge_logs having getenv('HOME') = 'x'`,
    `select id from edge_logs a join edge_logs b on getenv('HOME') = 'x'`,
    `select id from edge_logs group by grouping sets ((getenv('HOME')))`,
    `select exists(select * from duckdb_settings())`,
    `select id in (select name from duckdb_settings()) from edge_logs`,
    `select * from (values (getenv('HOME'))) as t(x)`,
    `select * from edge_logs, lateral (select getenv('HOME'))`,
    `select cast('x' as json)`,
    `select {'a': getenv('HOME')}`,
    `select [getenv('HOME')]`,
    `select map {'a': getenv('HOME')}`,
    `select id.getenv() from edge_logs`,
    `select 'HOME'.getenv()`,
    `select edge_logs from edge_logs`,
    `select rest from edge_logs`,
    `select nextval('x')`,
    `select write_log('x')`,
    `select * from edge_logs at (version => 1)`,
    `select * from pivot_wider(edge_logs)`,
    `pivot edge_logs on id using count(*)`,
    `summarize edge_logs`,
    `describe edge_logs`,
    `show tables`,
    `explain select 1`,
    `call duckdb_settings()`,
    `select * from (describe edge_logs)`,
    `select * from (show tables)`,
    `select * from edge_logs positional join edge_logs`,
    `select * from edge_logs asof join edge_logs b on edge_logs.timestamp >= b.timestamp`,
  ])('%s', async (sql) => {
    for (const dialect of ['analytics', 'columns'] as const)
      expect(await refusalOf(sql, dialect)).not.toMatch(/^ran/)
  })

  it('refuses what is nested too deeply or has too many parts', async () => {
    expect(
      await refusalOf(`select ${'abs('.repeat(150)}1${')'.repeat(150)} from edge_logs`),
    ).toMatch(/nested|parts|depth/i)
    expect(
      await refusalOf(`select ${Array.from({ length: 3000 }, () => '1').join('+')} from edge_logs`),
    ).toMatch(/nested|parts|depth/i)
  })

  it('answers or refuses whatever is written, and nothing else happens', async () => {
    const word = fc.constantFrom(
      ...`select from edge_logs where group by order limit ( ) , * 'x' "y" \`z\` 1 and or not in is null
      cross join unnest metadata as m request.method count timestamp case when then else end with union all :: [ ] - + / % like
      between interval exists over partition having qualify`.split(/\s+/),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 25 }), async (words) => {
        const sql = `select ${words.join(' ')}`
        const outcome = await run(sql).then(
          () => 'ran',
          (error: unknown) => (error instanceof QueryRefusal ? 'refused' : String(error)),
        )
        // What the engine itself refuses names nothing beyond the query.
        expect(outcome).toMatch(
          /^(?:ran|refused|Error: (?:Binder|Conversion|Parser|Invalid Input|Catalog|Out of Range) Error)/,
        )
      }),
      { numRuns: 300 },
    )
  })
})
