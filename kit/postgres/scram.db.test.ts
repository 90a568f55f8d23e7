import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '#kit/testing/postgres'
import { withClient } from './client.ts'
import { setPasswords } from './passwords.ts'
import { normalizePassword, scramVerifier } from './scram.ts'
import { quoteLiteral } from '#contract/ddl/sql-text'

const role = `scram_${process.pid}`
let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
  await asAdmin(`create role ${role} login`)
})
afterAll(async () => {
  await asAdmin(`drop role ${role}`)
  await database.drop()
})
const asAdmin = (sql: string) => withClient(database.adminConfig, (client) => client.query(sql))
const logIn = (password: string) =>
  withClient({ ...database.configFor(role), password }, (client) => client.query('select 1'))

const odd = [
  'plain',
  "quo'te\\",
  'ﬁne',
  'a\u00a0b',
  'I\u00adX',
  'Ⅸ',
  'bell\u0007',
  'пароль',
  '密码',
  '🔑',
]

test.each(odd)('the server prepares the password "%s" as we do', async (password) => {
  await asAdmin(`alter role ${role} password ${quoteLiteral(password)}`)
  await logIn(normalizePassword(password))
})

test.each(odd)('the server takes our verifier of "%s", and no other password', async (password) => {
  await withClient(database.adminConfig, (client) =>
    setPasswords(client, new Map([[role, password]])),
  )
  await logIn(normalizePassword(password))
  await expect(logIn(`${password}x`)).rejects.toThrow(/authentication failed/)
})

test('a verifier is stored as it is', async () => {
  const verifier = await scramVerifier('known')
  await withClient(database.adminConfig, (client) =>
    setPasswords(client, new Map([[role, verifier]])),
  )
  await logIn('known')
})
