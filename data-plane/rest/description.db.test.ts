import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(
    `create type mood as enum ('sad', 'ok');
    create table shelves (id int primary key);
    create table books (id int primary key, title varchar(40) not null default 'untitled', shelf int references shelves,
      mood mood, tags text[], price numeric, sold bool, data jsonb, at timestamptz);
    comment on schema public is 'The library';
    comment on table books is 'What is lent';
    comment on column books.title is 'As on the cover';
    create view readers as select 1 as id;
    create function lend(book int, days int default 7) returns void language sql volatile as 'select';
    comment on function lend(int, int) is 'Takes a book home';
    create function late(book int, days int default 7) returns bool language sql stable return true;`,
    { exposedSchemas: ['public'] },
  )
  ask = restClient(plane)
})
afterAll(() => plane.close())

test('tables are described with their keys, comments, formats, values, lengths and defaults', async () => {
  const { json } = await ask('GET /')
  const pk = 'Note:\nThis is a Primary Key.<pk/>'
  const fk = "Note:\nThis is a Foreign Key to `shelves.id`.<fk table='shelves' column='id'/>"
  expect(json).toMatchObject({
    swagger: '2.0',
    info: { title: 'The library' },
    definitions: {
      books: {
        type: 'object',
        description: 'What is lent',
        required: ['id', 'title'],
        properties: {
          id: { type: 'integer', format: 'integer', description: pk },
          title: {
            type: 'string',
            format: 'character varying(40)',
            maxLength: 40,
            default: "'untitled'::character varying",
            description: 'As on the cover',
          },
          shelf: { type: 'integer', description: fk },
          mood: { type: 'string', format: 'public.mood', enum: ['sad', 'ok'] },
          tags: { type: 'array', format: 'text[]' },
          price: { type: 'number', format: 'numeric' },
          sold: { type: 'boolean', format: 'boolean' },
          data: { format: 'jsonb' },
          at: { type: 'string', format: 'timestamp with time zone' },
        },
      },
    },
  })
})

test('paths have the verbs that a resource has', async () => {
  const { paths } = (await ask('GET /')).json as { paths: Record<string, object> }
  const verbs = (path: string) => Object.keys(paths[path] ?? {}).toSorted()
  expect(verbs('/books')).toEqual(['delete', 'get', 'patch', 'post'])
  expect(verbs('/readers')).toEqual(['get'])
  expect(verbs('/rpc/lend')).toEqual(['post'])
  expect(verbs('/rpc/late')).toEqual(['get', 'post'])
  expect(paths['/rpc/lend']).toMatchObject({
    post: {
      summary: 'Takes a book home',
      parameters: [{ schema: { required: ['book'], properties: { days: { format: 'integer' } } } }],
    },
  })
})

test('where one schema is exposed, answers do not name it', async () => {
  for (const request of ['GET /books', 'GET /rpc/late?book=1', 'GET /']) {
    expect((await ask(request)).headers.get('content-profile'), request).toBeNull()
  }
  expect((await ask('POST /books', { body: { id: 1 } })).headers.get('content-profile')).toBeNull()
})
