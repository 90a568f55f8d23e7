import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cell, RowChange } from '#contract/database/rows/table-rows'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
let id: number
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table books (
      id int generated always as identity, lang text default 'en', title text, big text, shout text generated always as (upper(title)) stored,
      primary key (id, lang)
    );
    insert into books (title, big) select 'Book ' || n, repeat('x', 20000) from generate_series(1, 25) n;
    create view titles as select title from books`)
  const [row] = await meta.sql("select 'books'::regclass::oid::int as id")
  id = Number(row?.['id'])
})
afterAll(() => meta.close())

const apply = async (changes: object[]) => meta.call('POST', `entities/${id}/apply`, { changes })
const inverseOf = (body: unknown) => (body as { inverse: RowChange[] | null }).inverse
const books = () =>
  meta.sql('select id, lang, title, length(big) as big, shout from books order by id, lang')
const update = (n: number, set: object) => ({
  kind: 'update',
  key: { id: `${n}`, lang: 'en' },
  set,
})
type Page = { rows: Cell[][]; next: string | null; previous: string | null }
const list = async (input: object, of = id) => {
  const { body } = await meta.call('POST', `entities/${of}/rows`, input)
  return body as Page
}

test('what is applied can be taken back, whatever it was, keys and numbers included', async () => {
  const before = await books()
  const done = await apply([
    { kind: 'delete', key: { id: '3', lang: 'en' } },
    update(1, { title: { from: 'Book 1', to: 'Changed' }, lang: { from: 'en', to: 'de' } }),
    update(2, { big: { to: 'y'.repeat(30_000) } }),
    { kind: 'insert', values: { title: 'New' } },
    update(4, { title: { to: null } }),
  ])
  expect(done.status).toBe(200)
  expect(await books()).not.toEqual(before)
  const undone = await apply(inverseOf(done.body) ?? [])
  expect(undone).toMatchObject({ status: 200 })
  expect(await books()).toEqual(before)
  const redone = await apply(inverseOf(undone.body) ?? [])
  expect(redone).toMatchObject({ status: 200 })
  expect((await apply(inverseOf(redone.body) ?? [])).status).toBe(200)
  expect(await books()).toEqual(before)
})

test('taking back what somebody has changed since is a conflict, and changes nothing', async () => {
  const done = await apply([
    update(5, { title: { to: 'Mine' } }),
    { kind: 'insert', values: { title: 'Made' } },
  ])
  await meta.sql("update books set title = 'Theirs' where title in ('Mine', 'Made')")
  const before = await books()
  expect(await apply(inverseOf(done.body) ?? [])).toMatchObject({
    status: 409,
    body: { conflicts: [{ change: 0 }, { change: 1 }] },
  })
  expect(await books()).toEqual(before)
  await meta.sql("delete from books where title = 'Theirs'")
  expect(await apply(inverseOf(done.body) ?? [])).toMatchObject({
    status: 409,
    body: { conflicts: [{ row: null }, { row: null }] },
  })
})

test('changes too large to keep cannot be taken back, and say so', async () => {
  const done = await apply([update(6, { big: { to: 'z'.repeat(850_000) } })])
  expect(inverseOf(done.body)).not.toBeNull()
  const again = await apply([update(6, { big: { to: 'small' } })])
  expect(again).toMatchObject({ status: 200, body: { inverse: null } })
})

test('conditions in groups: all of a group, or all of another', async () => {
  const filters = [
    { column: 'id', operator: '=', value: '7' },
    { column: 'title', operator: '=', value: 'no' },
    { column: 'id', operator: '>', value: '20', or: true },
    { column: 'id', operator: '<', value: '23' },
    { column: 'title', operator: '~~', value: '%8', or: true },
  ]
  const { rows } = await list({ filters, sort: [{ column: 'id', direction: 'asc' }] })
  expect(rows.map(([first]) => first)).toEqual(['8', '18', '21', '22'])
  const counted = await meta.call('POST', `entities/${id}/count`, { filters })
  expect(counted.body).toMatchObject({ count: 4 })
})

test('the end is one step away, and the pages before it follow without gaps', async () => {
  const all = await list({ limit: 1000 })
  const last = await list({ limit: 10, end: true })
  expect(last.next).toBeNull()
  expect(last.rows).toEqual(all.rows.slice(-10))
  const before = await list({ limit: 10, end: true, cursor: last.previous })
  expect(before.rows).toEqual(all.rows.slice(-20, -10))
  const whole = await list({ limit: 1000, end: true })
  expect(whole).toMatchObject({ next: null, previous: null })
  const [row] = await meta.sql("select 'titles'::regclass::oid::int as id")
  const view = `entities/${Number(row?.['id'])}/rows`
  expect((await meta.call('POST', view, { end: true })).status).toBe(400)
})

test('an exact count that nobody waits for any more is stopped in the database', async () => {
  await meta.sql(`create function slow(int) returns boolean language plpgsql as
    'begin perform pg_sleep(60); return true; end'; create view endless as select 1 as v where slow(1)`)
  const [row] = await meta.sql("select 'endless'::regclass::oid::int as id")
  const url = await meta.app.listen({ host: '127.0.0.1', port: 0 })
  const counting = async () => {
    const like = "query like 'select count(*) from %endless%' and state = 'active'"
    const [found] = await meta.sql(`select count(*)::int as n from pg_stat_activity where ${like}`)
    return found?.['n']
  }
  const stop = new AbortController()
  const asked = fetch(`${url}/abcdefghijklmnopqrst/entities/${Number(row?.['id'])}/count`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-plinth-login': 'postgres' },
    body: JSON.stringify({ exact: true }),
    signal: stop.signal,
  })
  const given = asked.then(
    () => 'answered',
    () => 'given up',
  )
  await expect.poll(counting).toBe(1)
  stop.abort()
  expect(await given).toBe('given up')
  await expect.poll(counting).toBe(0)
})
