import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Publication, Role } from '#contract/database/database-object-shapes'
import {
  changePublication,
  createPublication,
  dropPublication,
  publishedOperations,
} from '#contract/ddl/publications'
import { changeRole, createRole, dropRole } from '#contract/ddl/roles'
import { qualified } from '#contract/ddl/sql-text'
import { anyText, hostileName } from '#contract/testing/tables'
import { live } from '../testing/pg-meta/life.ts'
import { listPublications, publicationThere } from './objects/publications.ts'
import { listRoles } from './objects/roles.ts'
import { startMeta, type Meta } from '../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

const pair = (name: fc.Arbitrary<string>) => fc.uniqueArray(name, { minLength: 2, maxLength: 2 })
/** With room for a place before it. */
const ends = pair(hostileName.filter((name) => Buffer.byteLength(name) <= 55))
/** By the place that a name begins with. */
const byBeginning = <T extends { name: string }>(all: readonly T[]) =>
  new Map(
    all.flatMap((one): [string, T][] => {
      const place = /^(p\d+)_/.exec(one.name)?.[1]
      return place === undefined ? [] : [[place, one]]
    }),
  )

test('roles', async () => {
  const spec = fc.record({
    names: ends,
    can_login: fc.boolean(),
    inherit_role: fc.boolean(),
    limit: fc.integer({ min: -1, max: 9 }),
    setting: anyText.filter((one) => one !== ''),
    until: fc.constantFrom(null, '2040-01-02 03:04:05+00'),
    member: fc.subarray(['anon', 'service_role']),
  })
  await live(meta, {
    spec,
    list: async (db) =>
      byBeginning<Role>(
        await listRoles(db, {
          include_system_schemas: 'false',
          include_default_roles: 'false',
          offset: 0,
        }),
      ),
    create: (
      { names: [name = ''], can_login, inherit_role, limit, setting, until, member },
      place,
    ) =>
      createRole({
        name: `${place}_${name}`,
        can_login,
        inherit_role,
        connection_limit: limit,
        valid_until: until,
        config: { application_name: setting, search_path: '"$user", public' },
        member_of: member,
      }),
    created: (found, { names: [name = ''], can_login, limit, setting, until, member }, place) => {
      expect(found).toMatchObject({
        name: `${place}_${name}`,
        can_login,
        connection_limit: limit,
        member_of: member.toSorted(),
        config: { application_name: setting, search_path: '"$user", public' },
      })
      expect(found.valid_until === null || found.valid_until === 'infinity').toBe(until === null)
    },
    edit: (found, { names: [, name = ''], can_login, setting }, place) =>
      changeRole(found, {
        name: `${place}_${name}`,
        can_login: !can_login,
        connection_limit: 4,
        config: { application_name: `${setting}'`, work_mem: '7MB' },
      }),
    edited: (found, { names: [, name = ''], can_login, setting }, place) =>
      expect(found).toMatchObject({
        name: `${place}_${name}`,
        can_login: !can_login,
        connection_limit: 4,
        config: { application_name: `${setting}'`, work_mem: '7MB' },
      }),
    drop: (found) => dropRole(found),
  })
})

test('publications', async () => {
  const operations = fc.subarray([...publishedOperations])
  const spec = fc.record({
    names: ends,
    tables: pair(hostileName),
    operations: fc.tuple(operations, operations),
  })
  const published = (found: Publication) => publicationThere(found).operations
  await live(meta, {
    spec,
    before: ({ tables }, place) =>
      tables.map((one) => `create table ${qualified(place, one)} (id int primary key)`).join(';'),
    list: async (db) => byBeginning<Publication>(await listPublications(db, { offset: 0 })),
    create: ({ names: [name = ''], tables: [table = ''], operations: [first] }, place) =>
      createPublication({
        name: `${place}_${name}`,
        operations: first,
        tables: [{ schema: place, name: table }],
      }),
    created: (found, { names: [name = ''], tables: [table], operations: [first] }, place) => {
      expect(found).toMatchObject({ name: `${place}_${name}`, has_more: false })
      expect(found.tables).toMatchObject([{ schema: place, name: table }])
      expect(published(found)).toEqual(publishedOperations.filter((one) => first.includes(one)))
    },
    edit: (found, { names: [, name = ''], tables, operations: [, second] }, place) =>
      changePublication(publicationThere(found), {
        name: `${place}_${name}`,
        operations: second,
        tables: [{ schema: place, name: tables[1] ?? '' }],
      }),
    edited: (found, { names: [, name = ''], tables, operations: [, second] }, place) => {
      expect(found.name).toBe(`${place}_${name}`)
      expect(found.tables).toMatchObject([{ schema: place, name: tables[1] }])
      expect(published(found)).toEqual(publishedOperations.filter((one) => second.includes(one)))
    },
    drop: (found) => dropPublication(publicationThere(found)),
  })
})
