import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { PoolTimeoutError } from '../projects/pool.ts'
import { databaseProblem } from './answers/database-problem.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane('create table books (id int primary key)')
  ask = restClient(plane)
})
afterAll(() => plane.close())

const asAdmin = (sql: string) =>
  withClient(plane.database.adminConfig, (client) => client.query(sql))

test('a schema that cannot be read is 503, and is read by the next request', async () => {
  await asAdmin('revoke select on pg_catalog.pg_attrdef from public')
  const reply = await ask('GET /books')
  expect(reply).toMatchObject({
    status: 503,
    json: {
      code: 'PGRST002',
      message: 'Could not query the database for the schema cache. Retrying.',
    },
  })
  expect(reply.headers.get('retry-after')).toBe('1')
  await asAdmin('grant select on pg_catalog.pg_attrdef to public')
  expect(await ask('GET /books')).toMatchObject({ status: 200, json: [] })
})

test('who waits too long for a connection is told so', () => {
  expect(databaseProblem(new PoolTimeoutError(), true)).toMatchObject({
    status: 504,
    code: 'PGRST003',
  })
})
