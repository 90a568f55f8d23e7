import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeoutOf, runsOr } from '#kit/testing/runs'
import { graphqlBody, header, marker, payload } from './testing/fuzz.ts'
import { startDataPlane, testRef, type TestDataPlane } from './testing/data-plane.ts'

/** Whatever is sent to GraphQL and to the door of a project, nothing of it is our mistake, and nothing of it is SQL. */
let plane: TestDataPlane
beforeAll(async () => {
  plane = await startDataPlane(`
    create type mood as enum ('ok');
    create table owners (id int primary key, name text);
    create table things (id int primary key, name text, n numeric, big int8, flag bool, at timestamptz, uid uuid, mood mood,
      tags text[], data jsonb, span int4range, bytes bytea, owner_id int references owners);
    comment on table things is '@graphql({"totalCount": {"enabled": true}})';
    create view seen as select id, name from things;
    create function f(a text, b int[] default null, c jsonb default null) returns setof things language sql stable
      as 'select * from things where name = a';
    create function g(a timestamptz, b mood default 'ok') returns things language sql volatile
      as 'select * from things limit 1';
    create function _twice(t things) returns text language sql stable as 'select t.name || t.name';
    insert into owners values (1, 'one');
    insert into things (id, name, owner_id) values (1, 'one', 1), (2, 'two', 1);
  `)
})
afterAll(() => plane.close())

const token = fc.oneof(
  fc.constant('key'),
  fc.constant('user'),
  header,
  fc.jsonValue({ maxDepth: 1 }).map((claims) => `claims ${JSON.stringify(claims)}`),
)
function bearerOf(chosen: string): string {
  const { serviceKey } = plane.project
  if (chosen === 'key') return serviceKey
  const user = { role: 'authenticated', sub: '00000000-0000-4000-8000-000000000001' }
  if (chosen === 'user') return plane.token(user)
  if (!chosen.startsWith('claims ')) return chosen
  const claims = JSON.parse(chosen.slice(7)) as unknown
  return plane.token({ ...user, ...(typeof claims === 'object' ? claims : { role: claims }) })
}

const runs = runsOr(400)
/** What Postgres says of statements that were written wrongly: syntax, and columns, tables and functions that are not there. */
const ofStatements = ['42601', '42703', '42P01', '42883', '42804']

test(
  'no GraphQL request makes a server error, and nothing of one becomes a statement',
  async () => {
    await plane.sql('create extension if not exists pg_stat_statements schema extensions')
    await fc.assert(
      fc.asyncProperty(graphqlBody, token, header, async (body, chosen, garbage) => {
        const response = await fetch(`${plane.url}/graphql/v1`, {
          method: 'POST',
          headers: {
            apikey: plane.project.serviceKey,
            authorization: `Bearer ${bearerOf(chosen)}`,
            'content-type': 'application/json',
            'user-agent': garbage,
            cookie: garbage,
          },
          body,
        })
        const output = await response.text()
        expect(response.status, `${chosen} ${body} ${output}`).toBeLessThan(500)
        // GraphQL's own shape of errors.
        const { errors = [] } = JSON.parse(output) as {
          errors?: { extensions?: { code?: string } }[]
        }
        for (const { extensions } of errors) {
          expect(ofStatements, `${body} ${output}`).not.toContain(extensions?.code)
        }
      }),
      { numRuns: runs },
    )
    const statements = await plane.sql(`select query from extensions.pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database()) and query ~ '${marker}'
      and query !~ 'pg_stat_statements'`)
    expect(statements).toEqual([])
  },
  timeoutOf(runs),
)

const service = fc.constantFrom(
  'rest/v1',
  'graphql/v1',
  'auth/v1',
  'storage/v1',
  'realtime/v1',
  'functions/v1',
  'internal',
  '',
)
const path = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'things',
        'rpc',
        'f',
        '..',
        '.',
        '',
        '%00',
        '%ff',
        '%',
        'user',
        'token',
        '?',
        '&apikey=',
        '#',
      ),
      payload.map(encodeURIComponent),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join('/'))

test(
  'no address, header or token makes a server error',
  async () => {
    const names =
      'apikey authorization accept accept-profile content-profile prefer range range-unit cookie origin x-forwarded-for x-forwarded-host x-request-id access-control-request-method access-control-request-headers if-match content-type'
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
        fc.oneof(
          { weight: 6, arbitrary: fc.constant(testRef) },
          fc.constantFrom('default', 'zzzzzzzzzzzzzzzzzzzz', '%00', 'x'),
        ),
        service,
        path,
        token,
        fc.dictionary(fc.constantFrom(...names.split(' ')), header, { maxKeys: 4 }),
        async (method, ref, at, rest, chosen, headers) => {
          const origin = plane.url.slice(0, plane.url.lastIndexOf('/'))
          const address = `${origin}/${ref}/${at}/${rest}`
          const sends =
            method === 'POST' || method === 'PATCH' || method === 'PUT'
              ? { body: '{"name":"x"}' }
              : {}
          const response = await fetch(address, {
            method,
            headers: {
              apikey: plane.project.serviceKey,
              authorization: `Bearer ${bearerOf(chosen)}`,
              'content-type': 'application/json',
              ...headers,
            },
            ...sends,
            redirect: 'manual',
          })
          const output = await response.text()
          const sent = `${method} ${address} ${chosen} ${JSON.stringify(headers)} ${output}`
          expect(response.status, sent).toBeLessThan(500)
        },
      ),
      { numRuns: runs },
    )
  },
  timeoutOf(runs),
)
