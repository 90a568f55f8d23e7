import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from '#kit/testing/postgres'

const read = (name: string) => readFile(new URL(`../migrations/${name}`, import.meta.url), 'utf8')

test('what sign-ins elsewhere need can be made again, and belongs to the auth service alone', async () => {
  const database = await createEmptyDatabase()
  const client = new Client(database.configFor('supabase_admin'))
  client.on('error', () => undefined)
  await client.connect()
  try {
    const sql = [
      await read('001-tables.sql'),
      await read('002-external.sql'),
      await read('003-identity.sql'),
    ].join('\n')
    await client.query(sql)
    await client.query(sql)
    const { rows } = await client.query(
      `select relname, relrowsecurity, pg_get_userbyid(relowner) as owner from pg_class
        where relnamespace = 'auth'::regnamespace and relname in ('oauth_client_states', 'sso_oidc_providers')
        order by relname`,
    )
    const owned = { relrowsecurity: true, owner: 'supabase_auth_admin' }
    expect(rows).toEqual([
      { relname: 'oauth_client_states', ...owned },
      { relname: 'sso_oidc_providers', ...owned },
    ])
    await client.query('set role anon')
    await expect(client.query('select 1 from auth.sso_oidc_providers')).rejects.toThrow(/denied/)
  } finally {
    await client.end()
    await database.drop()
  }
})
