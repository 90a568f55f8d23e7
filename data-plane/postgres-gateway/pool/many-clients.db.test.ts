import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { poolerRef, startPooler, type TestPooler } from '../../testing/pooler.ts'

let database: TestDatabase
let at: TestPooler
beforeAll(async () => {
  database = await createTestDatabase()
  at = await startPooler(database, { pool: { size: 10, clients: 300 }, waitMs: 30_000 })
})
afterAll(async () => {
  await at.close()
  await database.drop()
})

/** Numbers that look random and are the same each time. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

type Row = Record<string, unknown>
const rowOf = async (client: Client, text: string, values: unknown[] = [], name?: string) =>
  (await client.query<Row>({ text, values, ...(name !== undefined && { name }) })).rows[0]

/** What a client may leave, and what it must not meet of others. Each throws when it meets something. */
const works: ((client: Client, id: number) => Promise<void>)[] = [
  async (client, id) => {
    const row = await rowOf(client, 'select $1::int + 1 as sum', [id], 'own')
    expect(row).toEqual({ sum: id + 1 })
  },
  async (client, id) => {
    // The same name for another text in each client.
    const row = await rowOf(client, `select $1::text || '-${id}' as text`, ['x'], 'mine')
    expect(row).toEqual({ text: `x-${id}` })
  },
  async (client, id) => {
    const seen = await rowOf(
      client,
      `select current_setting('app.who', true) as who, to_regclass('left_table')::text as left_table,
        current_setting('statement_timeout') as timeout, current_user::text as name,
        (select count(*)::int from pg_locks where pid = pg_backend_pid() and locktype = 'advisory') as locks`,
    )
    expect(seen?.['who'] || null).toBeNull()
    expect(seen).toMatchObject({ left_table: null, timeout: '0', name: 'postgres', locks: 0 })
    await client.query(
      `select set_config('app.who', '${id}', false), pg_advisory_lock_shared(${id})`,
    )
  },
  async (client) => {
    await client.query('create temp table left_table (id int)')
  },
  async (client, id) => {
    await client.query(`set statement_timeout = ${60_000 + id}; set role service_role`)
  },
  async (client, id) => {
    await client.query('begin')
    await client.query('insert into entries values ($1)', [id])
    await client.query('savepoint here')
    await expect(client.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
    await client.query('rollback to here')
    await client.query('commit')
  },
  async (client, id) => {
    await client.query('begin')
    await client.query('insert into entries values ($1)', [-id - 1])
    await client.query('rollback')
  },
  async (client, id) => {
    const row = await rowOf(client, `select repeat('${id % 10}', 200000) as text`)
    expect(row?.['text']).toBe(String(id % 10).repeat(200_000))
  },
]

test('a hundred clients over ten connections, of which some are killed in the middle: nothing is mixed up and nothing lost', async () => {
  await at.admin.query('create table entries (id int)')
  await at.admin.query('grant all on entries to postgres, service_role')
  let inserted = 0
  let killed = 0
  async function client(id: number): Promise<void> {
    const next = numbers(id + 1)
    let current = await connect()
    for (let turn = 0; turn < 12; turn++) {
      if (next(12) === 0) {
        const begun = current.query(
          'begin; insert into entries values (-1000); select pg_sleep(0.01)',
        )
        if (next(2) === 0) await begun.catch(() => undefined)
        begun.catch(() => undefined)
        current.connection.stream.destroy()
        killed++
        current = await connect()
      }
      const which = next(works.length)
      await works[which]?.(current, id)
      if (which === 5) inserted++
    }
    await current.end()
  }
  async function connect(): Promise<Client> {
    const made = new Client(at.config('transaction'))
    // Some are killed.
    made.on('error', () => undefined)
    await made.connect()
    return made
  }
  await Promise.all(Array.from({ length: 100 }, (_, id) => client(id)))
  expect(killed).toBeGreaterThan(20)
  const { rows } = await at.admin.query(
    'select count(*)::int as count, min(id) as low from entries',
  )
  expect(rows).toEqual([{ count: inserted, low: expect.any(Number) }])
  expect(rows[0]?.low).toBeGreaterThanOrEqual(0)
  const figures = () => at.gateway.poolFigures(poolerRef)
  // Both of one moment: a connection that was broken may still be on its way out.
  const areIdle = () => {
    const now = figures()
    return now !== undefined && now.idle === now.connections
  }
  await expect.poll(areIdle).toBe(true)
  expect(figures()?.connections).toBeGreaterThan(0)
  expect(figures()?.connections).toBeLessThanOrEqual(10)
  expect(figures()?.waiting).toBe(0)
  await expect.poll(() => at.of('ended').length).toBe(at.of('opened').length)
})
