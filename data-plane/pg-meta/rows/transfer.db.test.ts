import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { startMeta, type Meta } from '../testing.ts'
import { transferOf, type State, type Transfer } from './transfer-testing.ts'

let meta: Meta
let idOf: Transfer['idOf']
let exported: Transfer['exported']
let imported: Transfer['imported']
beforeAll(async () => {
  meta = await startMeta()
  ;({ idOf, exported, imported } = transferOf(meta))
  await meta.sql(`
    create table plain (id int primary key, name text not null, size int check (size < 100));
    create table "odd ""one""" ("a,b" text, "c""d" int);
    create table one (v text)`)
})
afterAll(() => meta.close())

const plain = { table: 'plain', columns: ['id', 'name', 'size'] }
const count = async (table: string) =>
  Number((await meta.sql(`select count(*) as n from ${table}`))[0]?.['n'])

test.each<[string, object, number]>([
  ['an unknown table', { ...plain, table: 'nothing' }, 200],
  ['no column at all', { ...plain, columns: [null] }, 400],
  ['an unknown delimiter', { ...plain, delimiter: 'x' }, 400],
])('an import with %s is refused', async (_, input, status) => {
  const started = await meta.call('POST', 'imports', { schema: 'public', ...input })
  expect(started.status).toBe(status)
  if (status !== 200) return
  const { id } = started.body as State
  expect((await meta.call('POST', `imports/${id}/finish`, {})).status).toBe(400)
  expect((await meta.call('POST', `imports/${id}/finish`, {})).status).toBe(404)
})

test('an import that nobody began, and an export with a column or filter that is not there, are refused', async () => {
  const id = crypto.randomUUID()
  const piece = { index: 0, text: 'x' }
  expect((await meta.call('POST', `imports/${id}/pieces`, piece)).status).toBe(404)
  expect((await meta.call('DELETE', `imports/${id}`)).body).toEqual({ cancelled: false })
  const at = `entities/${await idOf('plain')}/export`
  expect((await meta.call('POST', at, { format: 'csv', columns: ['no'] })).status).toBe(400)
  const filters = [{ column: 'id', operator: '=', value: 'x' }]
  expect((await meta.call('POST', at, { format: 'csv', filters })).status).toBe(400)
  expect((await meta.call('POST', at, { format: 'xml' })).status).toBe(400)
})

test('members who may only read can not import', async () => {
  const started = await meta.call(
    'POST',
    'imports',
    { schema: 'public', ...plain },
    'plinth_read_only',
  )
  const { id } = started.body as State
  await meta.call('POST', `imports/${id}/pieces`, { index: 0, text: '1,a,1\n2,b,2\n' })
  const end = await meta.call('POST', `imports/${id}/finish`, {}, 'plinth_read_only')
  expect(end).toMatchObject({ status: 400 })
  expect(await count('plain')).toBe(0)
})

test('a file is taken piece by piece, cut anywhere, and a piece that comes twice counts once', async () => {
  const text = '\uFEFFid,name,extra,size\r\n1,"Ada, ""A""\nB",x,1\r\n2,,y,\r\n3,"",z,3'
  const columns = ['id', 'name', null, 'size']
  const good = text.replace('2,,y', '2,"",y')
  const started = await meta.call('POST', 'imports', { schema: 'public', ...plain, columns })
  const { id } = started.body as State
  for (const [index, sign] of Array.from(good).entries())
    for (const again of [0, 1]) {
      const answer = await meta.call('POST', `imports/${id}/pieces`, { index, text: sign })
      expect(answer, `${again}`).toMatchObject({ status: 200, body: { next: index + 1 } })
    }
  const late = { index: good.length + 1, text: 'x' }
  expect((await meta.call('POST', `imports/${id}/pieces`, late)).status).toBe(409)
  expect(await count('plain')).toBe(0)
  expect((await meta.call('POST', `imports/${id}/finish`, {})).body).toMatchObject({ kept: true })
  expect(await meta.sql('select * from plain order by id')).toEqual([
    { id: 1, name: 'Ada, "A"\nB', size: 1 },
    { id: 2, name: '', size: null },
    { id: 3, name: '', size: 3 },
  ])
  await meta.sql('truncate plain')
  // NULL is not allowed there, and unquoted nothing is NULL.
  expect(await imported({ ...plain, columns }, text)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^Row 2: null value in column "name"/) },
  })
  expect(await count('plain')).toBe(0)
  const kept = await imported(
    { ...plain, columns, empty_is_null: false },
    text.replace(',\r\n3', ',x\r\n3'),
    3,
  )
  expect(kept).toMatchObject({
    body: { kept: false, bad: 1, report: [{ row: 2, column: 'size' }] },
  })
})

test('bad rows are named, and all or nothing or only the good ones are kept', async () => {
  const text = 'id,name,size\n1,a,1\nx,b,2\n3,c\n4,d,"many"\n5,e,5\n'
  const report = [
    { row: 2, column: 'id' },
    { row: 3, column: null },
    { row: 4, column: 'size' },
  ]
  const stopped = await imported(plain, text)
  expect(stopped.body).toMatchObject({ kept: false, rows: 5, bad: 3 })
  const found = (stopped.body as State).report.toSorted((a, b) => a.row - b.row)
  expect(found).toMatchObject(report)
  expect(await count('plain')).toBe(0)
  expect(await imported({ ...plain, on_bad_row: 'skip' }, text)).toMatchObject({
    body: { kept: true },
  })
  expect((await meta.sql('select id from plain order by id')).map(({ id }) => id)).toEqual([1, 5])
  const broken = await imported(plain, 'id,name,size\n6,f,6\n7\n8,g,100\n')
  expect(broken).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^Row 3: .*check constraint/) },
  })
  const twice = await imported(plain, 'id,name,size\n9,f,6\n5,f,6\n')
  expect(twice).toMatchObject({ body: { message: expect.stringMatching(/^Row 2: .*duplicate/) } })
  expect(await count('plain')).toBe(2)
  await meta.sql('truncate plain')
})

test('a cancelled import leaves nothing, and neither does a table that was made for it', async () => {
  const create = { name: 'create_made', statements: ['create table made (a int, b text)'] }
  const input = { schema: 'public', table: 'made', columns: ['a', 'b'], create }
  const started = await meta.call('POST', 'imports', input)
  const { id } = started.body as State
  await meta.call('POST', `imports/${id}/pieces`, { index: 0, text: 'a,b\n1,x\n' })
  expect((await meta.call('DELETE', `imports/${id}`)).body).toEqual({ cancelled: true })
  expect(await meta.sql("select to_regclass('made') as made")).toEqual([{ made: null }])
  expect(await imported(input, 'a,b\nx,y\n')).toMatchObject({ body: { kept: false } })
  expect(await meta.sql("select to_regclass('made') as made")).toEqual([{ made: null }])
  expect(await imported(input, 'a,b\n1,=1+1\n2,<b>\n')).toMatchObject({ body: { kept: true } })
  expect(await meta.sql('select b from made order by a')).toEqual([{ b: '=1+1' }, { b: '<b>' }])
  const migrations = await meta.call('GET', 'migrations')
  expect(migrations.body).toMatchObject([{ name: 'create_made' }])
})

test('whoever sends a file waits for Postgres, so that it is never held in memory', async () => {
  await meta.sql('create table slow (a int, t text)')
  const input = { schema: 'public', table: 'slow', columns: ['a', 't'], header: false }
  const text = `1,${'x'.repeat(98)}\n`.repeat(15_000)
  let settled = false
  const sent = await withClient(meta.db.configFor('postgres'), async (other) => {
    await other.query('begin')
    await other.query('lock table slow in access exclusive mode')
    const { id } = (await meta.call('POST', 'imports', input)).body as State
    const piece = meta.call('POST', `imports/${id}/pieces`, { index: 0, text })
    const done = piece.then(() => (settled = true))
    const waiting =
      "select count(*) > 0 as yes from pg_stat_activity where wait_event_type = 'Lock' and query like 'copy%'"
    const isWaiting = async () => (await meta.sql(waiting))[0]?.['yes'] === true
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true)
    for (let look = 0; look < 5; look++) await meta.sql('select 1')
    expect(settled).toBe(false)
    await other.query('rollback')
    await done
    return id
  })
  const end = await meta.call('POST', `imports/${sent}/finish`, {})
  expect(end.body).toMatchObject({ rows: 15_000, kept: true })
})

test('an export takes what the filters and keys let through, in the wanted order', async () => {
  await meta.sql(`insert into plain select n, case n when 2 then null else 'N' || n end, n from generate_series(1, 5) n
    where n <> 2; insert into plain values (2, '', null)`)
  const filters = [
    { column: 'id', operator: '<', value: '3' },
    { column: 'id', operator: '=', value: '5', or: true },
  ]
  const sort = [{ column: 'id', direction: 'desc' }]
  expect(await exported('plain', { format: 'csv', filters, sort })).toBe(
    'id,name,size\n5,N5,5\n2,"",\n1,N1,1\n',
  )
  const keys = [{ id: '4' }, { id: '1' }]
  const json = await exported('plain', { format: 'json', keys, columns: ['name', 'id'] })
  expect(JSON.parse(json)).toEqual([
    { name: 'N1', id: 1 },
    { name: 'N4', id: 4 },
  ])
  const none = [{ column: 'id', operator: '=', value: '99' }]
  expect(JSON.parse(await exported('plain', { format: 'json', filters: none }))).toEqual([])
  await meta.sql('truncate plain')
})

test('names that need quoting, and a column of lone NULLs, come back', async () => {
  await meta.sql(`insert into "odd ""one""" values ('=1', 1), (null, null), ('', 2)`)
  const file = await exported('"odd ""one"""', { format: 'csv' })
  expect(file).toBe('"a,b","c""d"\n=1,1\n,\n"",2\n')
  const odd = { table: 'odd "one"', columns: ['a,b', 'c"d'] }
  expect((await imported(odd, file)).body).toMatchObject({ kept: true, rows: 3 })
  await meta.sql(`insert into one values ('a'), (null), ('')`)
  const single = await exported('one', { format: 'csv' })
  expect((await imported({ table: 'one', columns: ['v'] }, single)).body).toMatchObject({ rows: 3 })
  expect(await meta.sql('select v, count(*)::int as n from one group by v order by v')).toEqual([
    { v: '', n: 2 },
    { v: 'a', n: 2 },
    { v: null, n: 2 },
  ])
})
