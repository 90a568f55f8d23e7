import { afterAll, beforeAll, expect, test } from 'vitest'
import { longestFilePiece, type RunEvent } from '#contract/database/sql/sql-query'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>
const only = <T extends RunEvent['type']>(events: RunEvent[], type: T) =>
  events.filter((event): event is Of<T> => event.type === type)
const count = async (table: string) =>
  (await meta.sql(['select count(*)::int as n from', table].join(' ')))[0]?.['n']

const send = (run: string, offset: number, text: string, last = false) =>
  meta.call('POST', `query/file/${run}/pieces`, { offset, text, last })
const begin = (id: string, more: object = {}) => meta.run({ id, ...more }, 'postgres', 'query/file')
/** Until the run takes pieces. */
const taken = (id: string, text: string, last = false) =>
  expect
    .poll(async () => (await send(id, 0, text, last)).body)
    .toEqual({ accepted: true, ended: false })

async function runFile(pieces: string[], more: object = {}): Promise<RunEvent[]> {
  const id = crypto.randomUUID()
  const events = begin(id, more)
  const [first = '', ...rest] = pieces
  await taken(id, first, rest.length === 0)
  let offset = first.length
  for (const [at, piece] of rest.entries()) {
    const { body } = await send(id, offset, piece, at === rest.length - 1)
    if ((body as { ended: boolean }).ended) break
    offset += piece.length
  }
  return events
}

test.each<[string, object]>([
  ['a NUL', { offset: 0, text: '\0', last: true }],
  ['a piece that is too long', { offset: 0, text: 'x'.repeat(longestFilePiece + 1), last: true }],
  ['an offset below nothing', { offset: -1, text: '', last: true }],
])('%s is refused', async (_, body) => {
  const path = `query/file/${crypto.randomUUID()}/pieces`
  expect(await meta.call('POST', path, body)).toMatchObject({ status: 400 })
})

test('a piece of a file that nobody has announced is not taken, nor one out of order', async () => {
  expect(await send(crypto.randomUUID(), 0, 'select 1')).toMatchObject({
    body: { accepted: false, ended: true },
  })
  const id = crypto.randomUUID()
  const events = begin(id)
  await taken(id, 'select 1;')
  expect((await send(id, 3, 'drop table x;')).body).toEqual({ accepted: false, ended: false })
  await send(id, 9, 'select 2', true)
  expect(only(await events, 'done')).toHaveLength(2)
})

test('a dump runs in pieces that are cut anywhere, with all of its data', async () => {
  const rows = Array.from({ length: 50_000 }, (_, i) => `${i}\tTitle; ${i} 'x'`).join('\n')
  const dump = `--\n-- PostgreSQL database dump\n--\n\\restrict abc\nSET statement_timeout = 0;
    SELECT pg_catalog.set_config('search_path', '', false);
    CREATE TABLE public.dumped (id integer NOT NULL, title text);\nCOPY public.dumped (id, title) FROM stdin;\n${rows}\n\\.\n
    ALTER TABLE ONLY public.dumped ADD CONSTRAINT dumped_pkey PRIMARY KEY (id);\n\\unrestrict abc\n`
  const pieces = Array.from({ length: Math.ceil(dump.length / 99_991) }, (_, i) =>
    dump.slice(i * 99_991, (i + 1) * 99_991),
  )
  const events = await runFile(pieces, { one_transaction: true })
  expect(only(events, 'error')).toEqual([])
  expect(only(events, 'done').map(({ command }) => command)).toEqual(
    expect.arrayContaining(['SET', 'CREATE TABLE', 'COPY', 'ALTER TABLE']),
  )
  expect(events.at(-1)).toMatchObject({ type: 'end', rolled_back: false })
  expect(await count('dumped')).toBe(50_000)
})

test('of a long file the first results are told, its progress, and the error with its line', async () => {
  await meta.sql('create table filed (id int primary key)')
  const lines = Array.from({ length: 5000 }, (_, i) => `insert into filed values (${i});`)
  const text = [...lines, 'insert into filed', '  valuse (1);', 'drop table filed;'].join('\n')
  const events = await runFile([text.slice(0, 70_000), text.slice(70_000)])
  expect(only(events, 'done')).toHaveLength(200)
  expect(only(events, 'progress').at(-1)).toEqual({ type: 'progress', statements: 5000 })
  const [{ error } = { error: undefined }] = only(events, 'error')
  expect(error).toMatchObject({ code: '42601', line: 5002, column: 3 })
  expect(error?.formattedError).toContain(`LINE 5002:   valuse (1)\n${' '.repeat(13)}^`)
  expect(await count('filed')).toBe(5000)
})

test('nothing of a file is kept that fails in one transaction', async () => {
  const text = 'create table gone (id int); insert into gone values (1); select 1/0;'
  const events = await runFile([text], { one_transaction: true })
  expect(events.at(-1)).toMatchObject({ type: 'end', rolled_back: true })
  expect(await meta.sql("select to_regclass('gone') as it")).toEqual([{ it: null }])
})

test('a file is cancelled while it waits for more of itself', async () => {
  const id = crypto.randomUUID()
  const events = begin(id)
  await taken(id, 'create table begun (id int); insert into beg')
  await expect
    .poll(async () => (await meta.sql("select to_regclass('begun') is not null as it"))[0]?.['it'])
    .toBe(true)
  expect(await meta.call('POST', 'query/cancel', { id })).toMatchObject({
    body: { cancelled: true },
  })
  expect(only(await events, 'error')).toMatchObject([{ error: { code: '57014' } }])
  expect(await send(id, 44, 'un values (1)', true)).toMatchObject({ body: { ended: true } })
})

test('a file that only reads is refused its first change, and one that says otherwise as well', async () => {
  await meta.sql('create table spared (id int)')
  for (const text of [
    'select 1; insert into spared values (1)',
    'set default_transaction_read_only = off; insert into spared values (1)',
    'commit; insert into spared values (1)',
    'copy spared from stdin;\n1\n\\.\n',
  ]) {
    const events = await runFile([text], { read_only: true, one_transaction: true })
    expect(only(events, 'error'), text).toMatchObject([{ error: { code: '25006' } }])
  }
  expect(await count('spared')).toBe(0)
})

test('who may only read changes nothing with a file either', async () => {
  const id = crypto.randomUUID()
  const events = meta.run({ id }, 'plinth_read_only', 'query/file')
  const path = `query/file/${id}/pieces`
  const body = { offset: 0, text: 'select 1; create table sneaked ()', last: true }
  await expect
    .poll(async () => (await meta.call('POST', path, body, 'plinth_read_only')).body)
    .toEqual({ accepted: true, ended: false })
  expect(only(await events, 'error')).toMatchObject([{ error: { code: '25006' } }])
})
