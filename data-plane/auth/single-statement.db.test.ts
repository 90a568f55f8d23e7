import { afterAll, beforeAll, expect, test } from 'vitest'
import { Pool } from '#kit/postgres/client'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { answering } from './request-scope.ts'
import { namedByRequest } from './single-statement-store.ts'

let database: TestDatabase
let pool: Pool

beforeAll(async () => {
  database = await createTestDatabase()
  pool = new Pool({ ...database.configFor('postgres'), max: 1 })
  namedByRequest(pool)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const name = async () =>
  (await pool.query(`select current_setting('application_name') as name, $1::text as value`, ['v']))
    .rows[0]

test('a single statement has the name of its request, and the connection has it no longer', async () => {
  expect(await answering('an-id', name)).toEqual({ name: 'r:an-id', value: 'v' })
  expect(await name()).toEqual({ name: '', value: 'v' })
  // Whoever is given a pool twice wraps it once.
  expect(namedByRequest(pool)).toBe(pool)
  expect(await answering('another', name)).toEqual({ name: 'r:another', value: 'v' })
})

test('a statement that is prepared, too', async () => {
  const prepared = {
    name: 'named',
    text: `select current_setting('application_name') as name, $1::text as value`,
    values: ['p'],
  }
  for (const id of ['first', 'second'])
    expect((await answering(id, () => pool.query(prepared))).rows).toEqual([
      { name: `r:${id}`, value: 'p' },
    ])
  expect((await pool.query(prepared)).rows).toEqual([{ name: '', value: 'p' }])
})

test('what a single statement writes is kept, and one that fails leaves nothing behind', async () => {
  await pool.query('create table kept (id int primary key)')
  await answering('an-id', () => pool.query('insert into kept values ($1)', [1]))
  await expect(
    answering('an-id', () => pool.query('insert into kept values ($1)', [1])),
  ).rejects.toMatchObject({ code: '23505' })
  expect(await name()).toEqual({ name: '', value: 'v' })
  expect((await pool.query('select count(*)::int as n from kept')).rows).toEqual([{ n: 1 }])
})

test('a connection that is lost while a statement runs is not used again', async () => {
  const lost = answering('an-id', () =>
    pool.query('select pg_terminate_backend(pg_backend_pid())', []),
  )
  await expect(lost).rejects.toMatchObject({ code: '57P01' })
  expect(await answering('an-id', name)).toEqual({ name: 'r:an-id', value: 'v' })
})
