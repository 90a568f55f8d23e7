import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownedProject } from '../../testing/owned-project.ts'
import { testVaultKeys } from '../../testing/vault-keys.ts'

const keys = testVaultKeys()
let project: Awaited<ReturnType<typeof ownedProject>>
beforeAll(async () => {
  project = await ownedProject({ vaultKeys: keys.of })
  await project.rows('create extension if not exists supabase_vault with schema vault cascade')
})
afterAll(() => project.close())
beforeEach(() => project.rows('delete from vault.secrets'))

const rows = (sql: string, values: unknown[] = []) => project.rows(sql, values)
async function create(secret: string, name?: string, description?: string): Promise<string> {
  const sql = `select vault.create_secret($1, $2, coalesce($3, '')) as id`
  const [row] = await rows(sql, [secret, name ?? null, description ?? null])
  return String(row?.['id'])
}
const decrypted = (where = 'true', values: unknown[] = []) =>
  rows(
    `select name, description, decrypted_secret from vault.decrypted_secrets where ${where}`,
    values,
  )

test('the extension has the public version, and what is asked for without a name of it', async () => {
  expect(
    await rows(`select extversion, nspname from pg_extension e join pg_namespace n on n.oid = extnamespace
      where extname = 'supabase_vault'`),
  ).toEqual([{ extversion: '0.3.1', nspname: 'vault' }])
})

test('a secret is read from the view, and nothing of it is in the table', async () => {
  const id = await create('s3kre3t_k3y', 'unique_name', 'This is the description')
  expect(await decrypted('id = $1', [id])).toEqual([
    {
      name: 'unique_name',
      description: 'This is the description',
      decrypted_secret: 's3kre3t_k3y',
    },
  ])
  const [row] = await rows('select to_jsonb(s)::text as line, key_id from vault.secrets s')
  expect(row?.['line']).not.toContain('s3kre3t')
  expect(row?.['key_id']).toBeNull()
  const found = `position('s3kre3t'::bytea in decode(secret, 'base64')) as at`
  expect(await rows(`select ${found} from vault.secrets`)).toEqual([{ at: 0 }])
})

test.each([[''], ['ü€𝄞\n'], ['x'.repeat(100_000)], ['UFYx' + 'A'.repeat(88)]])(
  'any text comes back as it was (%#)',
  async (secret) => {
    const id = await create(secret)
    expect(await decrypted('id = $1', [id])).toMatchObject([{ decrypted_secret: secret }])
  },
)

test('what is the same twice is sealed differently', async () => {
  await create('same')
  await create('same')
  expect(await rows('select distinct secret from vault.secrets')).toHaveLength(2)
  expect(await rows('select distinct nonce from vault.secrets')).toHaveLength(2)
})

test('each part of a secret is changed by itself', async () => {
  const id = await create('one', 'name', 'about')
  await rows(`select vault.update_secret($1, 'two')`, [id])
  expect(await decrypted()).toEqual([
    { name: 'name', description: 'about', decrypted_secret: 'two' },
  ])
  await rows(`select vault.update_secret($1, new_name := 'other', new_description := '')`, [id])
  expect(await decrypted()).toEqual([{ name: 'other', description: '', decrypted_secret: 'two' }])
  const [row] = await rows('select updated_at > created_at as later from vault.secrets')
  expect(row).toEqual({ later: true })
})

test('what is written into the table in plain text is sealed, whatever the session says of triggers', async () => {
  await rows(`insert into vault.secrets (name, secret) values ('plain', 'a value')`)
  await rows(`set session_replication_role = 'replica'`)
  await rows(`insert into vault.secrets (name, secret) values ('replica', 'a value')`)
  await rows(`update vault.secrets set secret = 'another' where name = 'plain'`)
  await rows('reset session_replication_role')
  expect(await rows(`select from vault.secrets where secret in ('a value', 'another')`)).toEqual([])
  expect(await decrypted('true order by name')).toMatchObject([
    { name: 'plain', decrypted_secret: 'another' },
    { name: 'replica', decrypted_secret: 'a value' },
  ])
})

describe('refused', () => {
  test('a name that is there, and no secret', async () => {
    await create('a', 'twice')
    await expect(create('b', 'twice')).rejects.toMatchObject({ code: '23505' })
    await expect(rows('select vault.create_secret(null)')).rejects.toMatchObject({ code: '23502' })
  })

  test.each([
    [
      'a changed byte',
      `set secret = translate(encode(set_byte(b, length(b) - 1, get_byte(b, length(b) - 1) # 1), 'base64'), e'\\n', '')`,
    ],
    [
      'a changed tag',
      `set secret = translate(encode(set_byte(b, 20, get_byte(b, 20) # 1), 'base64'), e'\\n', '')`,
    ],
    ['another nonce', `set nonce = set_byte(nonce, 0, get_byte(nonce, 0) # 1)`],
    ['another row', `set id = gen_random_uuid()`],
  ])('%s', async (_, change) => {
    await create('a', 'one')
    await rows(`update vault.secrets s ${change}
      from (select id as of, decode(secret, 'base64') as b from vault.secrets) x where s.id = x.of`)
    await expect(decrypted()).rejects.toMatchObject({
      code: '22000',
      message: expect.stringMatching(
        /^The secret \S{36} was changed after it was sealed, or belongs to another row$/,
      ),
    })
  })

  test('what another row has', async () => {
    await create('a', 'one')
    await create('b', 'two')
    await rows(`update vault.secrets s set secret = o.secret, nonce = o.nonce from vault.secrets o
      where s.name = 'one' and o.name = 'two'`)
    await expect(decrypted(`name = 'one'`)).rejects.toMatchObject({ code: '22000' })
    expect(await decrypted(`name = 'two'`)).toMatchObject([{ decrypted_secret: 'b' }])
  })

  test('what was sealed with the key of another project, in words that say so', async () => {
    await create('a', 'one')
    await rows(`update vault.secrets s set secret = translate(encode(overlay(decode(secret, 'base64')
      placing uuid_send(gen_random_uuid()) from 4), 'base64'), e'\\n', '')`)
    await expect(decrypted()).rejects.toMatchObject({
      code: '22000',
      message: expect.stringContaining('was sealed with a key that this project does not have'),
      detail: expect.stringContaining('the key of another project'),
    })
  })

  test('anon, authenticated and members who only read open nothing', async () => {
    await create('a', 'one')
    for (const login of ['authenticator_anon', 'authenticator_authenticated', 'plinth_read_only']) {
      const client = await project.as(project.logins.service(login))
      for (const sql of [
        'select decrypted_secret from vault.decrypted_secrets',
        `select vault.create_secret('a')`,
        `select vault.update_secret(gen_random_uuid(), 'a')`,
        `select vault._crypto_aead_det_decrypt('', '', 0)`,
        `select extensions.plinth_vault_open('', '', '')`,
        `select extensions.plinth_vault_seal('', '', '')`,
      ])
        await expect(client.query(sql), `${sql} as ${login}`).rejects.toMatchObject({
          code: /42501|25006/,
        })
    }
  })
})

test('the service role reads, makes, changes and removes secrets', async () => {
  const service = await project.as(project.logins.service('authenticator_service_role'))
  const made = await service.query<{ id: string }>(`select vault.create_secret('a', 'mine') as id`)
  const id = made.rows[0]?.id
  await service.query(`select vault.update_secret($1, 'b')`, [id])
  const { rows: seen } = await service.query('select decrypted_secret from vault.decrypted_secrets')
  expect(seen).toEqual([{ decrypted_secret: 'b' }])
  await service.query('delete from vault.secrets where id = $1', [id])
  expect(await decrypted()).toEqual([])
})

test('rows come back as a dump has them: sealed as they were, with the extension made before them', async () => {
  expect(
    await rows(
      `select extconfig::regclass[]::text from pg_extension where extname = 'supabase_vault'`,
    ),
  ).toEqual([{ extconfig: '{vault.secrets}' }])
  await create('dumped', 'of a dump')
  await rows('create table public.dump as table vault.secrets')
  await rows('drop extension supabase_vault; create extension supabase_vault')
  await rows('insert into vault.secrets table public.dump; drop table public.dump')
  expect(await decrypted()).toMatchObject([{ name: 'of a dump', decrypted_secret: 'dumped' }])
})

test('it is dropped and created again', async () => {
  await create('a')
  await rows('drop extension supabase_vault')
  expect(await rows(`select to_regclass('vault.secrets') as it`)).toEqual([{ it: null }])
  await rows('create extension supabase_vault')
  await create('b')
  expect(await decrypted()).toMatchObject([{ decrypted_secret: 'b' }])
})
