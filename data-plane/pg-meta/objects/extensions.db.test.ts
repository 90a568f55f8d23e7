import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

const run = (query: string) => meta.call('POST', 'query', { query })
const dependents = (name: string) => meta.call('GET', `extensions/${name}/dependents`)

test('of what is not there nothing depends', async () => {
  expect((await dependents('nowhere')).status).toBe(404)
  expect((await dependents('a%00b')).status).toBe(400)
  // Known to the server, and not installed.
  expect(await dependents('isn')).toMatchObject({ status: 200, body: [] })
})

test('what uses an extension is named as people know it, in any depth, and its own parts are not', async () => {
  expect((await run('create extension hstore')).status).toBeLessThan(300)
  expect((await dependents('hstore')).body).toEqual([])
  await run(`create table "My books" (id int primary key, tags hstore, size int default (defined('a=>1'::hstore, 'a'))::int);
    create index tags_index on "My books" using gin (tags);
    create view tagged as select id, tags, tags -> 'a' as a from "My books" where tags ? 'a';
    create view more as select a from tagged;
    create domain labels as hstore;
    create function keys_of(h hstore) returns text[] language sql as $$ select akeys(h) $$`)
  expect((await dependents('hstore')).body).toEqual([
    { type: 'default value', name: 'for public."My books".size' },
    { type: 'function', name: 'public.keys_of(public.hstore)' },
    { type: 'index', name: 'public.tags_index' },
    { type: 'table column', name: 'public."My books".tags' },
    { type: 'type', name: 'public.labels' },
    { type: 'view', name: 'public.more' },
    { type: 'view', name: 'public.tagged' },
  ])
  expect((await meta.call('DELETE', 'extensions/hstore')).status).toBe(400)
  expect((await meta.call('DELETE', 'extensions/hstore?cascade=true')).status).toBe(200)
  expect((await run(`select to_regclass('tagged') as gone`)).body).toEqual([{ gone: null }])
})
