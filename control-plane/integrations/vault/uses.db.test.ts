import { afterAll, beforeAll, expect, test } from 'vitest'
import { vault, type VaultUse } from '#contract/integrations/vault'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let base: string
const ids = new Map<string, string>()
beforeAll(async () => {
  world = await startWorld('')
  base = `/platform/projects/${world.ref}/vault`
})
afterAll(() => world.end())

async function uses(name: string): Promise<VaultUse[]> {
  const { status, body } = await world.ada.call('GET', `${base}/uses`)
  expect(status, JSON.stringify(body)).toBe(200)
  return vault.uses.returns.parse(body).uses.filter(({ secret }) => secret === ids.get(name))
}
const named = async (name: string) =>
  (await uses(name)).map(({ kind, schema, owner, name: own, through }) =>
    [kind, schema, owner, own, through].filter((part) => part !== null).join(' '),
  )
async function add(name: string): Promise<void> {
  const [row] = await world.sql(
    `select vault.create_secret('a value', '${name.replaceAll("'", "''")}') as id`,
  )
  ids.set(name, String(row?.['id']))
}
const reading = (name: string) =>
  `(select decrypted_secret from vault.decrypted_secrets where name = '${name}')`

test('a database without a vault has no uses', async () => {
  expect(await world.ada.call('GET', `${base}/uses`)).toMatchObject({
    status: 200,
    body: { uses: [] },
  })
})

test('a secret that nothing names is used by nothing, and neither is a part of its name', async () => {
  await world.sql('create extension supabase_vault; create extension pg_cron')
  await add('mail_key')
  await world.sql(
    `create function other() returns text language sql as $$ select 'mail_key_2' || ' mail_key ' $$`,
  )
  expect(await named('mail_key')).toEqual([])
})

test('jobs, functions and what calls them, views, policies, defaults and triggers that name it', async () => {
  await world.sql(`
    create table orders (id int, key text default '${'mail_key'}');
    create function send_mail() returns trigger language plpgsql as $$
      begin
        -- It doesn't matter what is said here.
        perform ${reading('mail_key')};
        return new;
      end $$;
    create trigger on_order after insert on orders for each row execute function send_mail();
    create function nightly() returns text language sql begin atomic select ${reading('mail_key')}; end;
    select cron.schedule('cleaning', '0 3 * * *', $$ select public.nightly() $$);
    select cron.schedule('sending', '0 4 * * *', $$ select ${reading('mail_key')} $$);
    select cron.schedule('nothing', '0 4 * * *', $$ select 1 $$);
    create view keys as select ${reading('mail_key')} as key;
    alter table orders enable row level security;
    create policy by_key on orders for select using (key = ${reading('mail_key')});
    create function hook() returns trigger language plpgsql as 'begin return new; end';
    create trigger with_argument after update on orders for each row execute function hook('mail_key');
  `)
  expect(await named('mail_key')).toEqual([
    'cron cleaning public.nightly',
    'cron sending',
    'function public nightly',
    'function public send_mail',
    'policy public orders by_key',
    'trigger public orders on_order public.send_mail',
    'view public keys',
    // What does not speak of the vault comes last.
    'default public orders key',
    'trigger public orders with_argument',
  ])
  const [first] = await uses('mail_key')
  expect(first?.reads).toBe(true)
  expect((await uses('mail_key')).at(-1)?.reads).toBe(false)
})

test('webhooks, foreign servers and users, and a secret that is named by its id', async () => {
  expect((await world.ada.call('POST', `/platform/database/${world.ref}/hook-enable`)).status).toBe(
    201,
  )
  await add('server_key')
  const id = ids.get('server_key')
  await world.sql(`
    create extension postgres_fdw;
    create server elsewhere foreign data wrapper postgres_fdw options (host 'server_key');
    create user mapping for postgres server elsewhere options (password 'server_key');
    create trigger shop after insert on orders for each row execute function
      supabase_functions.http_request('https://example.com', 'POST', '{"x-key":"server_key"}', '{}', '1000');
    create function by_id() returns text language sql as $$
      select decrypted_secret from vault.decrypted_secrets where id = '${id}' $$;
  `)
  expect(await named('server_key')).toEqual([
    'function public by_id',
    'mapping postgres elsewhere',
    'server elsewhere',
    'webhook public orders shop',
  ])
})

test('names with quotes and signs in them', async () => {
  for (const name of [`o'clock`, 'a"b', 'c$d', '%', String.raw`back\slash`]) {
    await add(name)
    const made = `named_${ids.get(name)?.slice(0, 8)}`
    await world.sql(
      `create function ${made}() returns text language sql as $f$ select ${reading(name.replaceAll("'", "''"))} $f$`,
    )
    expect(await named(name), name).toEqual([`function public ${made}`])
  }
})

test('what the owner has put in the way bends nothing, and ends nothing', async () => {
  const before = await uses('mail_key')
  await world.sql(`
    create schema evil;
    create function evil.strpos(text, text) returns int language plpgsql as 'begin raise exception ''evil''; end';
    create function evil.string_to_array(text, text) returns text[] language plpgsql as 'begin raise exception ''evil''; end';
    create function evil.pg_get_viewdef(oid) returns text language plpgsql as 'begin raise exception ''evil''; end';
    create table evil.pg_proc (proname text);
    alter role postgres set search_path = evil, pg_catalog, public;
    create function "%s ('; drop table orders; --"() returns text language sql as $f$ select ${reading('mail_key')} $f$;
    create function long() returns text language sql as $f$ select '${"''".repeat(100_000)}' $f$;
  `)
  const after = await uses('mail_key')
  expect(after.filter(({ name }) => !name.startsWith('%s'))).toEqual(before)
  expect(after).toHaveLength(before.length + 1)
  await world.sql('alter role postgres reset search_path')
})

test('of many functions and a thousand secrets, each is found', async () => {
  await world.sql(`
    select vault.create_secret('v', 'many_' || n) from generate_series(1, 990) n;
    do $do$ begin
      for n in 1..2000 loop
        execute format('create function many_%s() returns text language sql as %L', n,
          'select decrypted_secret from vault.decrypted_secrets where name = ''many_' || n || '''' || repeat(' and ''a'' = ''b''', 50));
      end loop;
    end $do$`)
  const { body } = await world.ada.call('GET', `${base}/uses`)
  const many = vault.uses.returns.parse(body).uses.filter(({ name }) => name.startsWith('many_'))
  expect(new Set(many.map(({ secret }) => secret)).size).toBe(990)
})
