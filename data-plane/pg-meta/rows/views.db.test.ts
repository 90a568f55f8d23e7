import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RowChange } from '#contract/database/rows/table-rows'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table shelves (hall text, spot int, primary key (hall, spot));
    insert into shelves values ('east', 1), ('west', 2);
    create table books (
      id int generated always as identity primary key, title text not null, hall text, spot int, price numeric check (price > 0),
      twice int generated always as (spot * 2) stored, foreign key (hall, spot) references shelves
    );
    insert into books (title, hall, spot, price) values ('Emma', 'east', 1, 5), ('Ulysses', 'west', 2, 7);
    create view cheap as
      select title as "the {title}", id as number, upper(title) as loud, price, hall, spot, (select max(s.spot) from shelves s) as most
      from books where price < 100 and exists (select hall from shelves);
    create view of_view as select number as id, price from cheap;
    create view without_key as select title, price from books;
    create view counted as select hall, count(*) as n from books group by hall;
    create view joined as select b.id, s.spot from books b join shelves s using (hall);
    create view triggered as select id, title from books union all select 0, 'none';
    create function changed() returns trigger language plpgsql as $$ begin return new; end $$;
    create trigger t instead of update on triggered for each row execute function changed();
    create materialized view stored as select id from books;
    create table log (line text); insert into log values ('first')`)
})
afterAll(() => meta.close())

async function idOf(name: string): Promise<number> {
  const [row] = await meta.sql(`select to_regclass('${name}')::oid::int as id`)
  return Number(row?.id)
}
const detail = async (name: string) =>
  (await meta.call('GET', `entities/${await idOf(name)}`)).body as EntityDetail
const apply = async (name: string, changes: RowChange[]) =>
  meta.call('POST', `entities/${await idOf(name)}/apply`, { changes })

test('a view of one table shows its key, its links and what the database fills in', async () => {
  const cheap = await detail('cheap')
  expect(cheap).toMatchObject({
    primary_key: ['number'],
    read_only_because: null,
    fixed_rows_because: null,
    foreign_keys: [{ columns: ['hall', 'spot'], target_table: 'shelves' }],
    checks: [{ columns: ['price'] }],
  })
  const columns = cheap.columns.map((one) => [one.name, one.is_updatable, one.is_nullable])
  expect(columns).toEqual([
    ['the {title}', true, false],
    ['number', true, false],
    ['loud', false, true],
    ['price', true, true],
    ['hall', true, true],
    ['spot', true, true],
    ['most', false, true],
  ])
  expect(cheap.columns[1]?.identity_generation).toBe('ALWAYS')
  expect(await detail('of_view')).toMatchObject({ primary_key: ['id'], read_only_because: null })
})

test.each([
  ['counted', /cannot be edited/],
  ['joined', /cannot be edited/],
  ['triggered', /its own triggers/],
  ['stored', /materialized view/],
])('%s says why it is read-only', async (name, why) => {
  expect((await detail(name)).read_only_because).toMatch(why)
  const change: RowChange = { kind: 'insert', values: {} }
  expect(await apply(name, [change])).toMatchObject({ status: 400 })
})

test('rows are changed through a view, found by the key of its table, and taken back', async () => {
  const changes: RowChange[] = [
    {
      kind: 'update',
      key: { number: '1' },
      set: { 'the {title}': { from: 'Emma', to: 'Persuasion' } },
    },
    { kind: 'insert', values: { 'the {title}': 'Dune', price: '9' } },
    { kind: 'delete', key: { number: '2' } },
  ]
  const { status, body } = await apply('cheap', changes)
  expect(status, JSON.stringify(body)).toBe(200)
  const titles = () => meta.sql('select id, title from books order by id')
  expect(await titles()).toEqual([
    { id: 1, title: 'Persuasion' },
    { id: 3, title: 'Dune' },
  ])
  const conflict = {
    kind: 'update' as const,
    key: { id: '1' },
    set: { price: { from: '6', to: '8' } },
  }
  expect(await apply('of_view', [conflict])).toMatchObject({
    status: 409,
    body: { conflicts: [{ change: 0, row: ['1', '5'] }] },
  })
  expect(await apply('of_view', [{ ...conflict, set: { price: { to: '0' } } }])).toMatchObject({
    status: 400,
    body: { columns: ['price'] },
  })
  // A view that counts its rows off without a key goes through them by it.
  const page = await meta.call('POST', `entities/${await idOf('cheap')}/rows`, { limit: 1 })
  const { next } = page.body as { next: string }
  expect(
    await meta.call('POST', `entities/${await idOf('cheap')}/rows`, { limit: 1, cursor: next }),
  ).toMatchObject({ body: { rows: [['Dune', '3', 'DUNE', '9', null, null, '2']] } })
})

test('a table that loses its key takes it from its views at once', async () => {
  await meta.sql(
    'create table short (id int primary key, v int); create view shorter as select * from short',
  )
  expect(await apply('shorter', [{ kind: 'insert', values: { id: '1' } }])).toMatchObject({
    status: 200,
  })
  await meta.sql('alter table short drop constraint short_pkey; insert into short values (1)')
  const change: RowChange = { kind: 'update', key: { id: '1' }, set: { v: { to: '5' } } }
  expect(await apply('shorter', [change])).toMatchObject({ status: 400 })
  expect(await meta.sql('select v from short')).toEqual([{ v: null }, { v: null }])
})

test('rows are inserted where none can be found again, and only that', async () => {
  const insert: RowChange = { kind: 'insert', values: { line: 'second' } }
  expect(await apply('log', [insert])).toMatchObject({
    status: 200,
    body: { rows: [['second']], inverse: null },
  })
  expect(await meta.sql('select count(*)::int as n from log')).toEqual([{ n: 2 }])
  const title: RowChange = { kind: 'insert', values: { title: 'New' } }
  expect(await apply('without_key', [title])).toMatchObject({
    status: 200,
    body: { inverse: null },
  })
  expect((await detail('without_key')).fixed_rows_because).toMatch(
    /primary key of public.books \(id\)/,
  )
  for (const name of ['log', 'without_key'])
    expect(await apply(name, [{ kind: 'delete', key: {} }])).toMatchObject({ status: 400 })
})
