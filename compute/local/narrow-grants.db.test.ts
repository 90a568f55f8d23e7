import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { upgradeSql } from '#start/tenants'
import type { DatabaseAddress } from '../provider.ts'
import { admin, ask, customer, specOf, testRef } from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'

/** What an owner of a database may not do with what the platform keeps in it: in a new project, and in one of before. */
let harness: LocalHarness
const fresh = testRef()
const earlier = testRef()
const at = new Map<string, DatabaseAddress>()

beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
  await harness.provider.prepare()
  at.set(fresh, await harness.provider.create(specOf(fresh)))
  const before = await harness.provider.create(specOf(earlier))
  await ask(
    before,
    admin(earlier),
    'grant pg_read_all_data to postgres',
    'alter schema extensions owner to postgres',
    'alter role postgres reset createrole_self_grant',
  )
  const file = join(harness.folder(earlier), 'project.json')
  const { upgrade: _, ...record } = JSON.parse(await readFile(file, 'utf8')) as { upgrade?: string }
  await writeFile(file, JSON.stringify(record))
  harness.options.upgradeSql = upgradeSql()
  const provider = await harness.reopen()
  for (const ref of [fresh, earlier]) at.set(ref, await provider.start(ref))
}, 60_000)
afterAll(() => harness.close())

describe.each([
  ['a new project', fresh],
  ['one of an earlier version', earlier],
])('%s', (_, ref) => {
  const sql = (...texts: string[]) => {
    const address = at.get(ref)
    if (!address) throw new Error(`${ref} does not run`)
    return ask(address, customer(ref), ...texts)
  }

  test.each([
    ['reads the verifiers of passwords', 'select rolpassword from pg_authid'],
    ['reads them by the older name', 'select passwd from pg_shadow'],
    ['copies them', 'copy (select * from pg_authid) to stdout'],
    ['drops what everybody looks for', 'drop schema extensions cascade'],
    ['gives it away', 'alter schema extensions owner to service_role'],
    ['drops an extension of the platform', 'drop extension pgcrypto cascade'],
    [
      'replaces its functions',
      `create or replace function extensions.gen_random_bytes(int) returns bytea language sql as 'select null'`,
    ],
    ['drops what auth is made of', 'drop schema auth cascade'],
  ])('nobody %s', async (_name, text) => {
    await expect(sql(text)).rejects.toThrow(
      /permission denied|must be owner|must be able to SET ROLE/,
    )
  })

  test('what the services keep can be read, and extensions installed', async () => {
    for (const table of ['auth.users', 'storage.objects', 'realtime.messages'])
      expect(await sql(`select count(*)::int from ${table}`)).toBe(0)
    await sql('create extension if not exists hstore schema extensions', 'drop extension hstore')
    await sql(
      'create role helper',
      'grant usage on schema extensions to helper',
      'drop owned by helper',
      'drop role helper',
    )
  })

  test('what the customer’s own roles make is the customer’s too', async () => {
    expect(
      await sql(
        'create role maker',
        'grant create on schema public to maker',
        'set role maker',
        'create table public.made as select 1 as id',
        'reset role',
        'select id from public.made',
      ),
    ).toBe(1)
    await sql('drop owned by maker', 'drop role maker')
  })
})
