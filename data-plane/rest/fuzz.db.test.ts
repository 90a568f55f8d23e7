import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeoutOf, runsOr } from '#kit/testing/runs'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { comparisons, isValues, searches } from './query/query.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create type mood as enum ('ok');
    create table owners (id int primary key, name text);
    create table things (id int primary key, name text, n numeric, flag bool, at timestamptz, uid uuid, mood mood,
      tags text[], data jsonb, plain json, span int4range, doc tsvector, bytes bytea, owner int references owners);
    create function f(a int, b text default 'x') returns setof things language sql stable as 'select * from public.things';
    create function g(json) returns json language sql immutable return $1;
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

const columns = 'id,name,n,flag,at,uid,mood,tags,data,plain,span,doc,bytes,owner,nope,owners'.split(
  ',',
)
const column = fc.oneof(
  fc.constantFrom(...columns),
  fc.constantFrom(...columns).map((name) => `${name}->k->>0`),
  fc.constantFrom(...columns).map((name) => `${name}->-5`),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => JSON.stringify(text)),
)
const value = fc.oneof(
  fc.constantFrom(
    '',
    '1',
    'x',
    '{}',
    '{a,b}',
    '[1,2)',
    '()',
    '(1,"a")',
    'null',
    '99999999999999999999',
    '-0',
    'NaN',
  ),
  fc.constantFrom(
    '2024-01-01',
    'infinity',
    '{"a":1}',
    '{',
    "'",
    '"',
    String.raw`\x00`,
    '%',
    '*',
    'a&b',
    'a & ',
    '(',
    '[[',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const operator = fc.oneof(
  fc.constantFrom(...comparisons, ...searches, 'in', 'is', 'isdistinct', 'nope'),
  fc.constantFrom(
    'eq(any)',
    'like(all)',
    'fts(english)',
    'fts(nope)',
    'not.eq',
    'not.in',
    'not.is',
  ),
)
const operand = fc.oneof(
  value,
  fc.constantFrom(...isValues),
  fc.array(value).map((v) => `(${v.join(',')})`),
)
const filter = fc.tuple(column, operator, operand).map(([c, o, v]) => [c, `${o}.${v}`] as const)
const logic = fc
  .array(fc.tuple(column, operator, operand), { minLength: 1, maxLength: 3 })
  .map((list) => `(${list.map((parts) => parts.join('.')).join(',')})`)
const type = fc.constantFrom(
  'text',
  'int',
  'int[]',
  'json',
  'nope',
  '"char"',
  'void',
  'any',
  'record',
  'regclass',
  'cstring',
)
const item = fc.oneof(
  column,
  fc.constant('*'),
  fc.tuple(column, type).map((parts) => parts.join('::')),
  fc.constantFrom(
    'owners(name)',
    'owners!inner()',
    '...owners(id)',
    'things(id)',
    'o:owner(*)',
    'id.sum()',
    'count()',
  ),
)
const pair = fc.oneof(
  { weight: 4, arbitrary: filter },
  fc.tuple(fc.constantFrom('or', 'and', 'not.or', 'owners.or'), logic),
  fc.tuple(
    fc.constant('select'),
    fc.array(item, { maxLength: 4 }).map((list) => list.join(',')),
  ),
  fc.tuple(
    fc.constantFrom('order', 'owners.order'),
    column.map((c) => `${c}.desc.nullslast`),
  ),
  fc.tuple(fc.constantFrom('limit', 'offset', 'owners.limit'), value),
  fc.tuple(fc.constantFrom('columns', 'on_conflict'), column),
)
const query = fc
  .array(pair, { maxLength: 5 })
  .map((list) =>
    list.map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`).join('&'),
  )
const body = fc.oneof(
  fc.json(),
  fc.string(),
  fc
    .dictionary(fc.constantFrom(...columns), fc.oneof(value, fc.jsonValue()))
    .map((v) => JSON.stringify(v)),
)
const target = fc.constantFrom('/things', '/rpc/f', '/rpc/g', '/owners')
const prefer = fc.constantFrom(
  'return=representation',
  'resolution=merge-duplicates,return=representation',
  'missing=default,count=exact',
  'count=planned',
  'count=estimated,handling=strict',
  'tx=rollback',
)
const accept = fc.constantFrom(
  '*/*',
  'text/csv',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json;nulls=stripped',
)

const runs = runsOr(1500)

test(
  'no request makes a server error',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'),
        target,
        query,
        body,
        prefer,
        accept,
        async (method, path, text, sent, preferences, types) => {
          const sends = ['POST', 'PATCH', 'PUT'].includes(method) ? { body: sent } : {}
          const headers = { prefer: preferences, accept: types }
          const reply = await ask(`${method} ${path}?${text}`, { ...sends, headers })
          expect(reply.status, `${method} ${path}?${text} ${sent} ${reply.text}`).toBeLessThan(500)
        },
      ),
      { numRuns: runs },
    )
  },
  timeoutOf(runs),
)
