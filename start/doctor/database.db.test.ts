import { expect, onTestFinished, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import {
  createEmptyDatabase,
  createPlatformDatabase,
  type TestDatabase,
} from '#kit/testing/postgres'
import { saidOf } from '../testing/doctor/doctor.ts'

async function opened(made: Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await made
  onTestFinished(() => database.drop())
  return database
}
/** As settings name it, for one of the roles of the server. */
function urlOf({ adminUrl, configFor }: TestDatabase, role: string): string {
  const url = new URL(adminUrl)
  url.username = role
  url.password = configFor(role).password
  return url.href
}
const look = (url: string) => saidOf('database', { PLATFORM_DATABASE_URL: url })
const everything = (database: TestDatabase) =>
  withClient(database.adminConfig, async (client) => {
    const { rows } = await client.query(
      `select n.nspname, c.relname from pg_namespace n left join pg_class c on c.relnamespace = n.oid
       order by 1, 2`,
    )
    return rows
  })

test('a database that cannot be entered is a fail, without its password', async () => {
  const database = await opened(createEmptyDatabase())
  const url = urlOf(database, 'postgres').replace(/:[^:@/]+@/, ':hunter2@')
  const [said = '', ...more] = await look(url)
  expect(more).toEqual([])
  expect(said).toMatch(
    new RegExp(`^fail PLATFORM_DATABASE_URL: ${database.name} at 127.0.0.1 cannot be entered: `),
  )
  expect(said).not.toContain('hunter2')
  const nowhere = await look('postgres://a@127.0.0.1:1/plinth')
  expect(nowhere).toEqual([expect.stringMatching(/^fail .*ECONNREFUSED/)])
})

test('a role that may make nothing is a fail, and one that owns the database is enough', async () => {
  const database = await opened(createEmptyDatabase())
  expect(await look(urlOf(database, 'authenticator'))).toEqual([
    `ok ${database.name} at 127.0.0.1 is PostgreSQL 17.10`,
    expect.stringMatching(
      /^fail the role may not make schemas and tables: permission denied .* -> make the role the owner of the database$/,
    ),
  ])
  await withClient(database.adminConfig, (client) =>
    client.query(['alter database', database.name, 'owner to postgres'].join(' ')),
  )
  const before = await everything(database)
  const settings = { PLATFORM_DATABASE_URL: urlOf(database, 'postgres') }
  expect(await saidOf('database', settings)).toEqual([
    `ok ${database.name} at 127.0.0.1 is PostgreSQL 17.10`,
    'ok schemas and tables can be made',
  ])
  expect(await saidOf('clock', settings)).toEqual(['ok the clock of the database agrees with ours'])
  expect(await everything(database)).toEqual(before)
})

test('a platform that another role has made is not taken over without a word', async () => {
  const database = await opened(createPlatformDatabase())
  expect(await look(urlOf(database, 'authenticator'))).toContainEqual(
    expect.stringMatching(/^fail schemas belong to another role: auth, dbos, platform -> /),
  )
  expect((await look(database.adminUrl)).filter((line) => !line.startsWith('ok '))).toEqual([])
})

test('an encoding that does not hold every text is a fail', async () => {
  const database = await opened(createEmptyDatabase())
  const name = `${database.name}_ascii`
  const admin = { ...database.adminConfig, database: 'postgres' }
  await withClient(admin, (client) =>
    client.query(
      ['create database', name, "encoding 'SQL_ASCII' locale 'C' template template0"].join(' '),
    ),
  )
  onTestFinished(() =>
    withClient(admin, async (client) => {
      await client.query(['drop database', name].join(' '))
    }),
  )
  expect(await look(database.adminUrl.replace(/[^/]+$/, name))).toContain(
    'fail its encoding is SQL_ASCII -> make a database with the encoding UTF8',
  )
})
