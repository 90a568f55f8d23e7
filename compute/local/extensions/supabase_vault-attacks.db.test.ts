import { createHmac } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownedProject } from '../../testing/owned-project.ts'
import { testVaultKeys } from '../../testing/vault-keys.ts'

/** What the owner of a database, who may make nearly anything in it, tries to come by the key of its vault. */
const keys = testVaultKeys()
let project: Awaited<ReturnType<typeof ownedProject>>
let file: string
beforeAll(async () => {
  project = await ownedProject({ vaultKeys: keys.of })
  file = join(project.folder, 'config/vault', keys.current())
  await project.rows('create extension supabase_vault')
  await project.rows(`select vault.create_secret('the value', 'known')`)
})
afterAll(() => project.close())

const rows = (sql: string, values: unknown[] = []) => project.rows(sql, values)
const purposes = ['plinth vault 1 encrypt', 'plinth vault 1 authenticate']
const derived = (key: Buffer, purpose: string) => createHmac('sha256', key).update(purpose).digest()
/** In which of the forms that a text or a file can have it the key is there. */
const formsIn = (text: Buffer | string) => {
  // Plans are broken into lines.
  const lines = Buffer.from(text)
    .toString('latin1')
    .replaceAll(/(?:\\[nt]|\s)+/g, ' ')
  const bytes = Buffer.concat([Buffer.from(text), Buffer.from(lines, 'latin1')])
  return keys
    .bytes()
    .flatMap((key) => [key, ...purposes.map((purpose) => derived(key, purpose))])
    .flatMap((key) => [
      key,
      Buffer.from(key.toString('hex')),
      Buffer.from(key.toString('hex').toUpperCase()),
      Buffer.from(key.toString('base64').slice(0, 40)),
      // As plans are printed: a byte after the other, as signed numbers.
      Buffer.from([...new Int8Array(key)].slice(0, 16).join(' ')),
    ])
    .filter((form) => bytes.includes(form))
}

test('the key is where this test looks for it', async () => {
  expect(formsIn(await readFile(file))).toHaveLength(1)
  const plan = [...new Int8Array(keys.bytes()[0] ?? [])].join(' ')
  expect(formsIn(`:constvalue 36 [ -112 0 0 0 ${plan} ]`)).toHaveLength(1)
})

describe('files of the server', () => {
  test.each([
    ['pg_read_file', 'select pg_read_file($1)'],
    ['pg_read_binary_file', 'select pg_read_binary_file($1)'],
    ['pg_read_binary_file in parts', 'select pg_read_binary_file($1, 0, 32, true)'],
    ['lo_import', 'select lo_import($1)'],
    ['pg_stat_file', 'select pg_stat_file($1)'],
    ['pg_ls_dir', `select pg_ls_dir(regexp_replace($1, '/[^/]*$', ''))`],
    ['pg_hba_file_rules', 'select $1::text from pg_hba_file_rules'],
  ])('%s', async (_, sql) => {
    await expect(rows(sql, [file])).rejects.toMatchObject({ code: '42501' })
  })
  test.each([
    ['copy', (at: string) => `create temp table t (line text); copy t from '${at}'`],
    [
      'copy of a program',
      (at: string) => `create temp table t (line text); copy t from program 'cat ${at}'`,
    ],
    ['a foreign table', () => 'create extension file_fdw'],
    ['a function in C', (at: string) => `create function f() returns text language c as '${at}'`],
    ['a library', (at: string) => `load '${at}'`],
    ['membership', () => 'grant pg_read_server_files to postgres'],
    ['being the superuser', () => 'set role supabase_admin'],
  ])('%s', async (_, sql) => {
    await expect(rows(sql(file))).rejects.toMatchObject({ code: '42501' })
  })
})

describe('functions of the platform', () => {
  test.each([
    `select extensions.plinth_vault_derived('${'0'.repeat(32)}', 'plinth vault 1 encrypt')`,
    `select extensions.plinth_vault_file('x')`,
    `select extensions.plinth_vault_tag('${'0'.repeat(32)}', '', '', '')`,
    `select extensions.plinth_vault_hmac('', '', 'sha256')`,
    `create or replace function extensions.plinth_vault_open(message bytea, additional bytea, nonce bytea) returns bytea
      language sql as 'select null::bytea'`,
    `create or replace function extensions.plinth_vault_file(name text) returns text language sql as 'select name'`,
    'alter function extensions.plinth_vault_open owner to postgres',
    'alter function extensions.plinth_vault_open rename to another',
    'alter function extensions.plinth_vault_open set search_path = public',
    'alter function extensions.plinth_vault_open set debug_print_plan = on',
    'alter function extensions.plinth_vault_seal set schema public',
    'drop function extensions.plinth_vault_derived cascade',
    'drop schema extensions cascade',
  ])('%s', async (sql) => {
    await expect(rows(sql)).rejects.toMatchObject({ code: '42501' })
  })

  test('rights on them are not handed out', async () => {
    for (const sql of [
      'grant execute on function extensions.plinth_vault_derived to postgres',
      'grant execute on all functions in schema extensions to public',
      'grant execute on function extensions.plinth_vault_open to anon',
    ])
      await rows(sql).catch((error: unknown) => expect(error).toMatchObject({ code: '42501' }))
    const given = `select proname from pg_proc where proname like 'plinth\\_vault\\_%'
      and (has_function_privilege('anon', oid, 'execute') or has_function_privilege('service_role', oid, 'execute'))`
    expect(await rows(given)).toEqual([])
  })
})

test('plans, notices, errors, the log and statistics have nothing of the key', async () => {
  const client = await project.session()
  const heard: string[] = []
  client.on('notice', (notice) => heard.push(JSON.stringify(notice)))
  await client.query(`set client_min_messages = debug5; set plan_cache_mode = force_custom_plan;
    set debug_print_parse = on; set debug_print_rewritten = on; set debug_print_plan = on;
    set plpgsql.print_strict_params = on; set log_parameter_max_length_on_error = -1`)
  await client.query(`select vault.create_secret('another value')`)
  await client.query(
    `select vault.update_secret(id, 'changed') from vault.secrets where name = 'known'`,
  )
  await client.query('select * from vault.decrypted_secrets')
  await client.query(
    `begin; declare c cursor for select decrypted_secret from vault.decrypted_secrets; fetch 1 from c; commit`,
  )
  await client.query(
    'explain (analyze, verbose) select decrypted_secret from vault.decrypted_secrets',
  )
  const failing = [
    `select extensions.plinth_vault_open(decode(secret, 'base64'), 'x', nonce) from vault.secrets`,
    `select extensions.plinth_vault_open(decode(secret, 'base64'), '\\xff', nonce) from vault.secrets`,
    `select extensions.plinth_vault_open(decode(secret, 'base64'), 'x', '') from vault.secrets`,
    `select extensions.plinth_vault_seal('a', 'b', 'c')`,
  ]
  for (const sql of failing) {
    const error: unknown = await client.query(sql).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: expect.any(String) })
    heard.push(JSON.stringify(error))
  }
  await client.query('reset all')
  const all = heard.join('\n')
  expect(all).toContain('PLANNEDSTMT')
  expect(formsIn(all)).toEqual([])
  const log = await readFile(join(project.folder, 'server.log'))
  expect(log.includes('PLANNEDSTMT')).toBe(true)
  expect(formsIn(log)).toEqual([])
  const said = await rows(`select string_agg(query, ' ') as all from (
    select query from pg_stat_activity union all select query from extensions.pg_stat_statements) q`)
  expect(formsIn(String(said[0]?.['all']))).toEqual([])
})

test('functions, operators and types of the owner stand in for none of those that touch the key', async () => {
  const spy = (name: string, args: string, returns: string) => `
    create function extensions.${name}(${args}) returns ${returns} language plpgsql as
    $$begin raise exception 'spied on %', $2; end$$`
  await rows(spy('plinth_vault_hmac', 'bytea, bytea, varchar', 'bytea'))
  await rows(spy('plinth_vault_hmac', 'bytea, bytea, anyelement', 'bytea'))
  await rows(spy('plinth_vault_encrypt', 'bytea, bytea, bytea, varchar', 'bytea'))
  await rows(spy('plinth_vault_decrypt', 'bytea, bytea, bytea, varchar', 'bytea'))
  await rows(spy('plinth_vault_derived', 'uuid, varchar', 'bytea'))
  await rows(`create function public.spy(bytea, bytea) returns bytea language plpgsql as
      $$begin raise exception 'spied on % %', $1, $2; end$$;
    create operator public.|| (leftarg = bytea, rightarg = bytea, function = public.spy)`)
  const client = await project.session()
  // In the first use of a session its functions are compiled.
  await client.query(`create domain pg_temp.bytea as pg_catalog.bytea check (false);
    create domain pg_temp.text as pg_catalog.text check (false);
    create domain pg_temp.uuid as pg_catalog.uuid check (false);
    set search_path = pg_temp, public, extensions, pg_catalog`)
  await client.query(`select vault.create_secret('by another session', 'shadowed')`)
  const { rows: seen } = await client.query(
    `select decrypted_secret from vault.decrypted_secrets where name = 'shadowed'`,
  )
  expect(seen).toEqual([{ decrypted_secret: 'by another session' }])
})

test('what a session says of strings changes nothing', async () => {
  const client = await project.session()
  await client.query(`set standard_conforming_strings = off; set bytea_output = 'escape'`)
  await client.query(`select vault.create_secret('by old rules', 'strings')`)
  const read = `select decrypted_secret from vault.decrypted_secrets where name = 'strings'`
  expect((await client.query(read)).rows).toEqual([{ decrypted_secret: 'by old rules' }])
  expect(await rows(read)).toEqual([{ decrypted_secret: 'by old rules' }])
})

test('the key is in no file of the data folder, and only the server reads the one that it is in', async () => {
  await rows('checkpoint').catch((error: unknown) => expect(error).toMatchObject({ code: '42501' }))
  const data = join(project.folder, 'data')
  const names = await readdir(data, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(100)
  for (const { parentPath, name } of files)
    expect(formsIn(await readFile(join(parentPath, name))), name).toEqual([])
  expect((await stat(file)).mode & 0o337).toBe(0)
  expect((await stat(join(file, '..'))).mode & 0o027).toBe(0)
})

test('a stopped server has no key in a file; one that starts gets it again', async () => {
  const at = await ownedProject({ vaultKeys: keys.of })
  const folder = join(at.folder, 'config/vault')
  try {
    expect((await readdir(folder)).toSorted()).toEqual([keys.current(), 'current'].toSorted())
    await at.rows('create extension supabase_vault')
    await at.rows(`select vault.create_secret('over a restart')`)
    await at.end()
    await at.provider.stop(at.ref)
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
    await at.provider.start(at.ref)
    const client = await at.session()
    const { rows: seen } = await client.query(
      'select decrypted_secret from vault.decrypted_secrets',
    )
    expect(seen).toEqual([{ decrypted_secret: 'over a restart' }])
  } finally {
    await at.close()
  }
})

test('a new key seals and the old one opens, until it is taken away', async () => {
  const old = keys.current()
  const next = keys.add()
  await project.provider.layVaultKeys?.(project.ref)
  await rows(`select vault.create_secret('by the next', 'next')`)
  const by = `select name, extensions.plinth_vault_key_of(decode(secret, 'base64')) as key, decrypted_secret
    from vault.decrypted_secrets where name in ('known', 'next') order by name`
  expect(await rows(by)).toEqual(
    [
      { name: 'known', key: old, decrypted_secret: 'changed' },
      { name: 'next', key: next, decrypted_secret: 'by the next' },
    ].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  )
  keys.retireOthers()
  await project.provider.layVaultKeys?.(project.ref)
  await expect(rows(by)).rejects.toMatchObject({ code: '22000' })
  expect(
    await rows(`select decrypted_secret from vault.decrypted_secrets where name = 'next'`),
  ).toEqual([{ decrypted_secret: 'by the next' }])
})

test('a server without a key says so, and seals nothing', async () => {
  const without = await ownedProject()
  try {
    await without.rows('create extension supabase_vault')
    await expect(without.rows(`select vault.create_secret('a')`)).rejects.toMatchObject({
      code: '55000',
      message: 'This server has no key for the vault',
    })
  } finally {
    await without.close()
  }
})
