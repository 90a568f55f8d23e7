import { afterAll, beforeAll, expect, test } from 'vitest'
import { ref, startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'
import { transferOf, type State, type Transfer } from '../../testing/pg-meta/transfer.ts'

let meta: Meta
let idOf: Transfer['idOf']
let exported: Transfer['exported']
let started: Transfer['started']
let sent: Transfer['sent']
let ended: Transfer['ended']
let imported: Transfer['imported']
beforeAll(async () => {
  meta = await startMeta()
  ;({ idOf, exported, started, sent, ended, imported } = transferOf(meta))
  await meta.sql(`
    create table plain (id int primary key, name text not null, size int check (size < 100));
    create table "odd ""one""" ("a,b" text, "c""d" int);
    create table one (v text)`)
})
afterAll(() => meta.close())

const plain = { table: 'plain', columns: ['id', 'name', 'size'] }
const count = async (table: string) =>
  Number((await meta.sql(`select count(*) as n from ${table}`))[0]?.['n'])

test('an export with a column, filter or format that is not there is refused', async () => {
  const at = `entities/${await idOf('plain')}/export`
  expect((await meta.call('POST', at, { format: 'csv', columns: ['no'] })).status).toBe(400)
  const filters = [{ column: 'id', operator: '=', value: 'x' }]
  expect((await meta.call('POST', at, { format: 'csv', filters })).status).toBe(400)
  expect((await meta.call('POST', at, { format: 'xml' })).status).toBe(400)
})

test('columns may be called as parts of our own statements are', async () => {
  await meta.sql(`
    create table r (r int primary key, t text, "row" text, m text, n text, plinth_row text);
    insert into r values (1, 'a', 'b', 'c', 'd', 'e')`)
  const row = { r: 1, t: 'a', row: 'b', m: 'c', n: 'd', plinth_row: 'e' }
  expect(JSON.parse(await exported('r', { format: 'json' }))).toEqual([row])
  expect(await exported('r', { format: 'csv' })).toBe('r,t,row,m,n,plinth_row\n1,a,b,c,d,e\n')
  await meta.sql('truncate r')
  const file = `${Object.keys(row).join()}\n${Object.values(row).join()}\n`
  const into = { table: 'r', columns: Object.keys(row) }
  expect(await imported(into, file)).toMatchObject({ kept: true, rows: 1 })
  expect(await meta.sql('select * from r')).toEqual([row])
})

test('a file is taken piece by piece, cut anywhere', async () => {
  const text = '\uFEFFid,name,extra,size\r\n1,"Ada, ""Ä""\nB",x,1\r\n2,,y,\r\n3,"",z,3'
  const columns = ['id', 'name', null, 'size']
  const good = text.replace('2,,y', '2,"",y')
  expect(await imported({ ...plain, columns }, good, 1)).toMatchObject({
    kept: true,
    phase: 'done',
    rows: 3,
    bad: 0,
  })
  expect(await meta.sql('select * from plain order by id')).toEqual([
    { id: 1, name: 'Ada, "Ä"\nB', size: 1 },
    { id: 2, name: '', size: null },
    { id: 3, name: '', size: 3 },
  ])
  await meta.sql('truncate plain')
  // NULL is not allowed there, and unquoted nothing is NULL.
  expect(await imported({ ...plain, columns }, text)).toMatchObject({
    kept: false,
    phase: 'failed',
    problem: expect.stringMatching(/^Row 2: null value in column "name"/),
  })
  expect(await count('plain')).toBe(0)
  const strange = text.replace(',\r\n3', ',x\r\n3')
  const kept = await imported({ ...plain, columns, empty_is_null: false }, strange, 3)
  expect(kept).toMatchObject({ kept: false, bad: 1, report: [{ row: 2, column: 'size' }] })
})

test('bad rows are named, and all or nothing or only the good ones are kept', async () => {
  const text = 'id,name,size\n1,a,1\nx,b,2\n3,c\n4,d,"many"\n5,e,5\n'
  const report = [
    { row: 2, column: 'id' },
    { row: 3, column: null },
    { row: 4, column: 'size' },
  ]
  const stopped = await imported(plain, text)
  expect(stopped).toMatchObject({ kept: false, phase: 'done', rows: 5, bad: 3 })
  expect(stopped.report.toSorted((a, b) => a.row - b.row)).toMatchObject(report)
  expect(await count('plain')).toBe(0)
  expect(await imported({ ...plain, on_bad_row: 'skip' }, text)).toMatchObject({ kept: true })
  expect((await meta.sql('select id from plain order by id')).map(({ id }) => id)).toEqual([1, 5])
  expect(await imported(plain, 'id,name,size\n6,f,6\n7\n8,g,100\n')).toMatchObject({
    problem: expect.stringMatching(/^Row 3: .*check constraint/),
  })
  expect(await imported(plain, 'id,name,size\n9,f,6\n5,f,6\n')).toMatchObject({
    problem: expect.stringMatching(/^Row 2: .*duplicate/),
  })
  expect(await count('plain')).toBe(2)
  await meta.sql('truncate plain')
})

test('the list of bad rows is a file that spreadsheets and programs can read', async () => {
  const text = 'id,name,size\n1,a,1\n"=x, ""y""",b,2\n'
  const { id } = (await started(plain, text)).body as State
  expect(await meta.call('GET', `imports/${id}/bad-rows`)).toMatchObject({ status: 404 })
  await sent(id, text)
  await meta.call('POST', `imports/${id}/finish`, {})
  await ended(id)
  const headers = { 'x-plinth-login': 'postgres' }
  const url = `/${ref}/imports/${id}/bad-rows`
  const file = await meta.app.inject({ url, headers })
  expect(file.headers['content-type']).toContain('text/csv')
  expect(file.body).toBe('row,column,reason\n2,id,"id cannot be ""=x, ""y"""""\n')
  await meta.call('DELETE', `imports/${id}`)
})

test('a table that was made for a file is there with its rows or not at all', async () => {
  const create = { name: 'create_made', statements: ['create table made (a int, b text)'] }
  const input = { table: 'made', columns: ['a', 'b'], create }
  expect(await imported(input, 'a,b\nx,y\n')).toMatchObject({ kept: false })
  expect(await meta.sql("select to_regclass('made') as made")).toEqual([{ made: null }])
  expect(await imported(input, 'a,b\n1,=1+1\n2,<b>\n')).toMatchObject({ kept: true })
  expect(await meta.sql('select b from made order by a')).toEqual([{ b: '=1+1' }, { b: '<b>' }])
  expect((await started(input, 'a,b\n1,x\n')).status).toBe(400)
  const migrations = await meta.call('GET', 'migrations')
  expect(migrations.body).toMatchObject([{ name: 'create_made' }])
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
  expect(await imported(odd, file)).toMatchObject({ kept: true, rows: 3 })
  await meta.sql(`insert into one values ('a'), (null), ('')`)
  const single = await exported('one', { format: 'csv' })
  expect(await imported({ table: 'one', columns: ['v'] }, single)).toMatchObject({ rows: 3 })
  expect(await meta.sql('select v, count(*)::int as n from one group by v order by v')).toEqual([
    { v: '', n: 2 },
    { v: 'a', n: 2 },
    { v: null, n: 2 },
  ])
})
