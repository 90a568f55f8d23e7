import { hash } from '@node-rs/bcrypt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { importAuth } from './auth.ts'
import { startTwoDatabases, type TwoDatabases } from '../testing/import/two-databases.ts'

let world: TwoDatabases

const id = (last: number) => `0c0c0c0c-0000-4000-8000-00000000000${last}`

/** As the first versions of the auth service had it, which hosted projects were made with. */
const oldIdentities = `
  drop table auth.identities;
  create table auth.identities (id text not null, user_id uuid not null, identity_data jsonb not null, provider text not null,
    last_sign_in_at timestamptz, created_at timestamptz, updated_at timestamptz, primary key (provider, id));
  grant all on auth.identities to postgres;
  alter table auth.users add column "not here" text default 'x';
`

beforeAll(async () => {
  const bcrypt = await hash('a password', 4)
  world = await startTwoDatabases([])
  await withClient(world.source.adminConfig, (client) => client.query(oldIdentities))
  await withClient(world.source.configFor('postgres'), async (client) => {
    await client.query(
      `insert into auth.users (id, email, encrypted_password, confirmation_token, email_change, is_anonymous, banned_until, raw_app_meta_data)
       values ($1, 'ada@example.com', $6, 'a link', 'new@example.com', false, null, '{"provider": "email"}'),
         ($2, 'EVE@example.com', '$argon2id$v=19$x', '', '', false, '2999-01-01', '{}'),
         ($3, null, null, '', '', true, null, '{}'), ($4, 'taken@example.com', $6, '', '', false, null, '{}'),
         ($5, 'sso@example.com', null, '', '', false, null, '{}')`,
      [id(1), id(2), id(3), id(4), id(5), bcrypt],
    )
    await client.query(
      `insert into auth.identities (id, user_id, identity_data, provider)
       values ($1::text, $1::text::uuid, '{"sub": "1", "email": "ada@example.com"}', 'email'), ('4711', $1::text::uuid, '{"sub": "4711"}', 'github'),
         ('x', $2, '{}', 'email')`,
      [id(1), id(4)],
    )
    await client.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone)
       values ($1, $2, 'app', 'totp', 'verified', now(), now(), 'JBSWY3DP', null), ($3, $2, 'phone', 'phone', 'verified', now(), now(), null, '49151')`,
      [id(6), id(1), id(7)],
    )
    await client.query(`insert into auth.sso_providers (id) values ($1)`, [id(8)])
    await client.query(
      `insert into auth.sso_domains (id, sso_provider_id, domain) values ($1, $2, 'shop.test')`,
      [id(9), id(8)],
    )
  })
  await withClient(world.target.configFor('postgres'), (client) =>
    client.query(`insert into auth.users (email) values ('taken@example.com')`),
  )
})
afterAll(() => world.end())

test('users come with their hashes, whatever version of the service they were made by', async () => {
  const report = await world.run(importAuth)
  expect(report.left_out.map(({ kind, name }) => `${kind}: ${name}`)).toEqual([
    'password: of 1 users',
    `user: ${id(4)}`,
    'authenticator app: 1 of auth.mfa_factors',
  ])
  expect(report.counts).toMatchObject([
    { kind: 'user', found: 5, imported: 4 },
    // The third one's user is not here.
    { kind: 'identity', found: 3, imported: 2 },
    { kind: 'second factor', found: 1, imported: 1 },
    { kind: 'single sign-on provider', imported: 1 },
    { kind: 'single sign-on domain', imported: 1 },
  ])
  const columns = `id, email, encrypted_password, banned_until, is_anonymous, raw_app_meta_data`
  const users = `select ${columns} from auth.users where id::text like '0c0c%' and email is distinct from 'taken@example.com' order by id`
  expect(await world.rows('target', users)).toEqual(await world.rows('source', users))
  // Links that were sent lead to the source, and open nothing here.
  expect(
    await world.rows(
      'target',
      `select confirmation_token, email_change from auth.users where id = '${id(1)}'`,
    ),
  ).toEqual([{ confirmation_token: null, email_change: null }])
  expect(
    await world.rows(
      'target',
      'select provider, provider_id, user_id, email from auth.identities order by provider',
    ),
  ).toEqual([
    { provider: 'email', provider_id: id(1), user_id: id(1), email: 'ada@example.com' },
    { provider: 'github', provider_id: '4711', user_id: id(1), email: null },
  ])
  expect(
    await world.rows('target', 'select phone, secret, factor_type from auth.mfa_factors'),
  ).toEqual([{ phone: '49151', secret: null, factor_type: 'phone' }])
})

test('a second run tells the same and changes nothing', async () => {
  const marks = 'select max(xmin::text::bigint) as users from auth.users'
  const before = await world.rows('target', marks)
  const report = await world.run(importAuth)
  expect(report.counts.filter(({ imported }) => imported > 0)).toEqual([])
  expect(report.left_out).toHaveLength(3)
  expect(await world.rows('target', marks)).toEqual(before)
})
