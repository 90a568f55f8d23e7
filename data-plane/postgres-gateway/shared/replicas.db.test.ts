import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { poolerRef, startPooler, type TestPooler } from '../../testing/pooler.ts'

const tenant = `${poolerRef}-rr-abcde`
let database: TestDatabase
let at: TestPooler
beforeAll(async () => {
  database = await createTestDatabase()
  // The server of the project itself is nowhere: who comes in, came to the replica.
  at = await startPooler(database, {
    host: '/nowhere',
    replicas: [{ tenant, host: database.host, port: database.port }],
  })
})
afterAll(async () => {
  await at.close()
  await database.drop()
})

const modes = ['session', 'transaction'] as const
async function enter(mode: (typeof modes)[number], user: string, more: object = {}) {
  const client = new Client({ ...at.config(mode), user, ...more })
  // Told by `connect` already.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ n: number }>('select 7 as n')
    await client.end()
    return rows[0]?.n
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : String(error)
  }
}

test.each(modes)(
  'in %s mode, the name of a replica leads to it, by the password of the project',
  async (mode) => {
    expect(await enter(mode, `postgres.${tenant}`)).toBe(7)
    expect(await enter(mode, 'postgres', { options: `reference=${tenant}` })).toBe(7)
    expect(at.asked.every((one) => one === `postgres of ${poolerRef}`)).toBe(true)
    expect(await enter(mode, `postgres.${tenant}`, { password: 'wrong' })).toBe('28P01')
    expect(await enter(mode, `postgres.${poolerRef}`)).not.toBe(7)
  },
)

test.each([
  ['the login of replicas', `plinth_replicator.${tenant}`, '28000'],
  ['another replica', `postgres.${poolerRef}-rr-fghij`, '28P01'],
  ['a replica of another project', 'postgres.abcdefghijklmnopqrst-rr-abcde', '28P01'],
  ['what is no name of one', `postgres.${poolerRef}-rr-ABCDE`, '28000'],
  ['a name that climbs', `postgres.${poolerRef}-rr-../..`, '28000'],
])('%s does not come in', async (_, user, code) => {
  expect(await enter('session', user)).toBe(code)
})

test('two names of different servers are refused, and networks count here, too', async () => {
  const both = { options: `reference=${poolerRef}` }
  expect(await enter('session', `postgres.${tenant}`, both)).toBe('28000')
  at.change({ networks: ['10.0.0.0/8'] })
  expect(await enter('session', `postgres.${tenant}`)).toBe('28000')
  at.change({ networks: null })
  expect(await enter('session', `postgres.${tenant}`)).toBe(7)
})

test('a replica that was dropped is gone at once', async () => {
  at.change({ replicas: [] })
  for (const mode of modes) expect(await enter(mode, `postgres.${tenant}`)).toBe('28P01')
})
