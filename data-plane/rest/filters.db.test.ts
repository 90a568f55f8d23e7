import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create type mood as enum ('sad', 'ok');
    create type pair as (x int, y text);
    create domain positive as int check (value > 0);
    create table rows (id int primary key, name text, amount numeric, mood mood, uid uuid, at timestamptz, day date, flag bool,
      tags text[], moods mood[], data jsonb, plain json, span int4range, doc tsvector, place pair, bytes bytea, host inet,
      small positive, code char(3), bits bit(3), many int4multirange, words xml);
    insert into rows (id, name, amount, tags, data, place, span) values
      (1, 'ash', 1, '{a,b}', '{"1":"one","a b":{"c.d":2},"list":[5,6]}', (1, 'x'), '[1,3)'),
      (2, 'beech', 2, '{b}', '{"list":[7]}', (2, 'y'), '[3,5)'),
      (3, 'cedar', 3, '{}', '[8,9]', null, null);
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

const ids = async (query: string) => {
  const { json, text } = await ask(`GET /rows?select=id&order=id&${query}`)
  return Array.isArray(json) ? (json as { id: number }[]).map(({ id }) => id) : text
}
const others = (found: number[]) => [1, 2, 3].filter((id) => !found.includes(id))

describe('operators with any and all, and all of them with not', () => {
  test.each<[string, string, number[]]>([
    ['amount', 'eq(any).{1,3}', [1, 3]],
    ['amount', 'eq(all).{1,1}', [1]],
    ['amount', 'gt(any).{1,2}', [2, 3]],
    ['amount', 'gte(all).{1,2}', [2, 3]],
    ['amount', 'lt(any).{2,3}', [1, 2]],
    ['amount', 'lte(all).{2,3}', [1, 2]],
    ['name', 'like(all).{*e*,*r}', [3]],
    ['name', 'ilike(any).{A*,B*}', [1, 2]],
    ['name', 'match(any).{^a,^c}', [1, 3]],
    ['name', 'imatch(all).{^B,H$}', [2]],
    ['amount', 'neq.1', [2, 3]],
    ['amount', 'gt.1', [2, 3]],
    ['amount', 'gte.2', [2, 3]],
    ['amount', 'lt.2', [1]],
    ['amount', 'lte.2', [1, 2]],
    ['name', 'like.*e*', [2, 3]],
    ['name', 'ilike.*E*', [2, 3]],
    ['name', 'match.^a', [1]],
    ['name', 'imatch.^A', [1]],
    ['name', 'fts.ash', [1]],
    ['name', 'plfts.ash', [1]],
    ['name', 'phfts.ash', [1]],
    ['name', 'wfts.ash', [1]],
    ['tags', 'cs.{b}', [1, 2]],
    ['tags', 'cd.{b,c}', [2, 3]],
    ['tags', 'ov.{a,c}', [1]],
    ['id', 'isdistinct.1', [2, 3]],
    ['id', 'is.null', []],
  ])('%s=%s', async (column, filter, found) => {
    expect(await ids(`${column}=${filter}`)).toEqual(found)
    expect(await ids(`${column}=not.${filter}`)).toEqual(others(found))
  })

  test.each<[string, number[]]>([
    ['sl.[3,4)', [1]],
    ['sr.[1,3)', [2]],
    ['nxr.[2,4)', [1]],
    ['nxl.[2,4)', [2]],
    ['adj.[5,6)', [2]],
  ])('span=%s, and a range that there is none of is neither', async (filter, found) => {
    expect(await ids(`span=${filter}`)).toEqual(found)
    expect(await ids(`span=not.${filter}`)).toEqual([1, 2].filter((id) => !found.includes(id)))
  })
})

test('an empty list matches no row and its opposite all, in columns of every type', async () => {
  const columns = (await plane.sql(
    "select attname from pg_attribute where attrelid = 'rows'::regclass and attnum > 0",
  )) as { attname: string }[]
  expect(columns).toHaveLength(22)
  for (const { attname } of columns) {
    expect([attname, await ids(`${attname}=in.()`)]).toEqual([attname, []])
    expect([attname, await ids(`${attname}=not.in.()`)]).toEqual([attname, [1, 2, 3]])
  }
})

test.each<[string, number[]]>([
  // A step of digits is the place in an array; in quotes it is the key of an object.
  ['data->0=eq.8', [3]],
  ['data->-1=eq.9', [3]],
  ['data->>"1"=eq.one', [1]],
  ['data->"a b"->>"c.d"=eq.2', [1]],
  ['data->list->-1=eq.6', [1]],
  ['place->x=gt.1', [2]],
  ['tags->>0=eq.b', [2]],
  ['or=(data->"a b"->"c.d".eq.2,tags->>0.eq.b)', [1, 2]],
])('%s', async (query, found) => {
  expect(await ids(encodeURI(query))).toEqual(found)
})

describe('refused', () => {
  test.each([
    ['name=foo.x', 'foo.x'],
    ['name=eq(some).x', 'eq(some).x'],
    ['name=in(any).(x)', 'in(any).(x)'],
    ['flag=is.maybe', 'is.maybe'],
    ['flag=is.1', 'is.1'],
    ['or=(name.foo.x)', '(name.foo.x)'],
  ])('%s, with what was read', async (query, read) => {
    const { status, json } = await ask(`GET /rows?${query}`)
    expect({ status, json }).toMatchObject({
      status: 400,
      json: { code: 'PGRST100', message: expect.stringContaining(`(${read})`) },
    })
    expect((json as { details: string }).details).toMatch(/unexpected|expecting/)
  })

  test('a cast in a condition: casts are for what is shown', async () => {
    expect((await ask('GET /rows?select=id::text&limit=1')).json).toEqual([{ id: '1' }])
    for (const query of ['id::text=eq.1', 'or=(id::text.eq.1)']) {
      expect((await ask(`GET /rows?${query}`)).status, query).toBe(400)
    }
  })
})
