import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create schema hidden;
    create table hidden.people (id int primary key, name text);
    create table hidden.works (id int primary key, title text, "who wrote" int references hidden.people);
    create table hidden.tags (id int primary key, label text);
    create table hidden.works_tags (work int references hidden.works, tag int references hidden.tags, primary key (work, tag));
    insert into hidden.people values (1, 'Joyce'), (2, 'Austen');
    insert into hidden.works values (1, 'Ulysses', 1), (2, 'Emma', 2), (3, 'Dubliners', 1), (4, 'Beowulf', null);
    insert into hidden.tags values (1, 'long'), (2, 'novel');
    insert into hidden.works_tags values (1, 1), (1, 2), (2, 2);
    create view people as select id as "the id", name from hidden.people;
    create view middle as select w.title, w.id as work_id, w."who wrote" as writer, upper(w.title) as loud from hidden.works w;
    create view works as with chosen as (select * from middle where length(title) > 1) select work_id as id, title, writer from chosen;
    create view tags as select * from hidden.tags;
    create view works_tags as select * from hidden.works_tags;
    create materialized view loud as select loud, work_id from middle;
    create table notes (id int primary key, work int references hidden.works, said text);
    insert into notes values (1, 2, 'witty'), (2, 1, 'odd');
    create view noted as select * from notes;

    create table boxes (id int primary key, width int, height int, parent int references boxes);
    insert into boxes values (1, 2, 3, null), (2, 4, 5, 1), (3, 6, 7, 1);
    create table lids (id int primary key, box int);
    insert into lids values (10, 1), (11, 1), (12, 2);
    create function area(boxes) returns int language sql immutable as 'select $1.width * $1.height';
    create function lids_of(boxes) returns setof lids language sql stable as 'select * from public.lids where box = $1.id';
    create function first_lid(b boxes) returns setof lids rows 1 language sql stable as 'select * from public.lids where box = b.id order by id limit 1';
    create function only_lid(boxes) returns lids language sql stable as 'select * from public.lids where box = $1.id order by id desc limit 1';
    create function boxes(lids) returns setof boxes rows 1 language sql stable as 'select * from public.boxes where id = $1.box';
    grant all on all tables in schema public to anon;
    grant usage on schema hidden to anon;
    alter table boxes alter column height type numeric;
    alter table boxes add column gone int;
    alter table boxes drop column gone;
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

const get = async (path: string) => (await ask(`GET ${path}`)).json

test.each<[string, unknown]>([
  // To and from views over views, with other names than the table's, and through a CTE.
  [
    '/works?select=title,people(name)&order=id',
    [
      { title: 'Ulysses', people: { name: 'Joyce' } },
      { title: 'Emma', people: { name: 'Austen' } },
      { title: 'Dubliners', people: { name: 'Joyce' } },
      { title: 'Beowulf', people: null },
    ],
  ],
  [
    '/people?select=name,works(title)&order=name&works.order=title',
    [
      { name: 'Austen', works: [{ title: 'Emma' }] },
      { name: 'Joyce', works: [{ title: 'Dubliners' }, { title: 'Ulysses' }] },
    ],
  ],
  // From a table in sight to a view, and back.
  ['/notes?select=said,works(title)&id=eq.1', [{ said: 'witty', works: { title: 'Emma' } }]],
  ['/works?select=title,notes(said)&id=eq.1', [{ title: 'Ulysses', notes: [{ said: 'odd' }] }]],
  ['/noted?select=said,works(title)&id=eq.2', [{ said: 'odd', works: { title: 'Ulysses' } }]],
  // A materialized view, and a column that is computed and no key.
  ['/loud?select=loud,works_tags(tag)&loud=eq.EMMA', [{ loud: 'EMMA', works_tags: [{ tag: 2 }] }]],
  // Many to many, through a view of the junction.
  [
    '/works?select=title,tags(label)&id=lt.3&order=id&tags.order=id',
    [
      { title: 'Ulysses', tags: [{ label: 'long' }, { label: 'novel' }] },
      { title: 'Emma', tags: [{ label: 'novel' }] },
    ],
  ],
  [
    '/tags?select=label,works!inner(title)&works.title=eq.Emma',
    [{ label: 'novel', works: [{ title: 'Emma' }] }],
  ],
])('%s sees keys through views', async (path, expected) => {
  expect(await get(path)).toEqual(expected)
})

test('the name of a column is the table, whatever views there are of it', async () => {
  expect(await get('/boxes?select=id,parent(id)&id=eq.2')).toEqual([{ id: 2, parent: { id: 1 } }])
})

test('a row put into a simple view is known by the key of its table', async () => {
  const made = await ask('POST /noted', {
    body: { id: 9, work: 3, said: 'short' },
    headers: { prefer: 'return=headers-only' },
  })
  expect([made.status, made.headers.get('location')]).toEqual([201, '/noted?id=eq.9'])
  const put = await ask('PUT /noted?id=eq.9', {
    body: { id: 9, work: 3, said: 'long' },
    headers: { prefer: 'return=representation' },
  })
  expect([put.status, put.json]).toEqual([200, [{ id: 9, work: 3, said: 'long' }]])
})

test.each<[string, unknown]>([
  [
    '/boxes?select=id,lids_of(id)&order=id&lids_of.order=id.desc',
    [
      { id: 1, lids_of: [{ id: 11 }, { id: 10 }] },
      { id: 2, lids_of: [{ id: 12 }] },
      { id: 3, lids_of: [] },
    ],
  ],
  [
    '/boxes?select=id,first_lid(id)&order=id',
    [
      { id: 1, first_lid: { id: 10 } },
      { id: 2, first_lid: { id: 12 } },
      { id: 3, first_lid: null },
    ],
  ],
  [
    '/boxes?select=id,only_lid(id)&order=id',
    [
      { id: 1, only_lid: { id: 11 } },
      { id: 2, only_lid: { id: 12 } },
      { id: 3, only_lid: null },
    ],
  ],
  ['/boxes?select=id,lids_of!inner(id)&lids_of.id=eq.12', [{ id: 2, lids_of: [{ id: 12 }] }]],
  [
    '/boxes?select=id,...first_lid(lid:id)&order=first_lid(id).desc.nullslast&limit=1',
    [{ id: 2, lid: 12 }],
  ],
  ['/boxes?select=id&lids_of=is.null&lids_of.select=id', undefined],
  // Overrides nothing here, and is found by its own name: no foreign key ties the two.
  ['/lids?select=id,boxes(width)&id=eq.12', [{ id: 12, boxes: { width: 4 } }]],
  [
    '/boxes?select=id,area&area=gt.10&order=area.desc',
    [
      { id: 3, area: 42 },
      { id: 2, area: 20 },
    ],
  ],
])('%s is computed', async (path, expected) => {
  if (expected !== undefined) expect(await get(path)).toEqual(expected)
  else expect((await ask(`GET ${path}`)).status).toBe(400)
})

test('what is computed is computed of rows that were just written, and of those that a function returns', async () => {
  const made = await ask('POST /boxes?select=id,lids_of(id),first_lid(id)', {
    body: { id: 8, width: 1, height: 2, parent: 2 },
    headers: { prefer: 'return=representation' },
  })
  expect(made.json).toEqual([{ id: 8, lids_of: [], first_lid: null }])
  expect(await get('/lids?select=id,boxes(id,only_lid(id))&id=eq.10')).toEqual([
    { id: 10, boxes: { id: 1, only_lid: { id: 11 } } },
  ])
})
