import { expect, test } from 'vitest'
import { lineOf } from '../../testing/kubernetes/log-file.ts'
import { createCursor } from './cursor.ts'
import { createLines, entryOf, type Line } from './lines.ts'

const stamp = '2026-04-30T11:14:09.718123456Z'
/** As it is published, of a client's session. */
const record = {
  log_time: '2026-04-30 11:14:09.718 UTC',
  user_name: 'plinth_customer',
  database_name: 'plinth',
  process_id: '25',
  connection_from: '10.0.0.7:51234',
  session_id: '608be681.19',
  session_line_num: '3',
  command_tag: 'SELECT',
  session_start_time: '2026-04-30 11:14:00 UTC',
  virtual_transaction_id: '3/4',
  transaction_id: '0',
  error_severity: 'ERROR',
  sql_state_code: '42P01',
  message: 'relation "nowhere" does not exist',
  hint: '',
  query_id: '7482947201928374651',
  application_name: 'psql',
  backend_type: 'client backend',
}
const written = (change: object = {}) => lineOf({ ...record, ...change }, 'a-1')
const line = (text: string, isCut = false): Line => ({
  micros: Date.parse('2026-04-30T11:14:09.718Z') * 1000 + 123,
  text,
  isCut,
})
/** The lines of what comes in these pieces. */
function linesOf(pieces: readonly (string | Buffer)[], maxBytes = 1000): Line[] {
  const lines = createLines(maxBytes)
  return pieces.flatMap((piece) => [...lines(Buffer.from(piece))])
}

test('an entry has what the server has written, by the names of Postgres', () => {
  expect(entryOf(line(written()))).toEqual({
    id: '608be681.19-3',
    timestamp: Date.parse('2026-04-30T11:14:09.718Z') * 1000 + 123,
    severity: 'ERROR',
    message: 'relation "nowhere" does not exist',
    session_id: '608be681.19',
    session_line_num: 3,
    process_id: 25,
    session_start_time: '2026-04-30 11:14:00 UTC',
    backend_type: 'client backend',
    sql_state_code: '42P01',
    virtual_transaction_id: '3/4',
    query_id: '7482947201928374651',
    command_tag: 'SELECT',
    connection_from: '10.0.0.7:51234',
    user_name: 'plinth_customer',
    database_name: 'plinth',
    application_name: 'psql',
  })
})

test('what is empty, zero or unknown is left out', () => {
  const bare = entryOf(
    line(written({ user_name: '[unknown]', query_id: '0', sql_state_code: '00000' })),
  )
  for (const name of ['user_name', 'query_id', 'sql_state_code', 'transaction_id', 'hint'])
    expect(bare).not.toHaveProperty(name)
  expect(entryOf(line(written({ transaction_id: '77' })))?.transaction_id).toBe(77)
})

test('the moment is that of the server, and that of the line where the server tells none', () => {
  const at = (log_time: string | undefined) => entryOf(line(written({ log_time })))?.timestamp
  const written123 = line('').micros
  expect(at('2026-04-30 11:14:09.700 UTC')).toBe(written123 - 123 - 18_000 + 999)
  expect(at('2026-04-30 11:14:09.900 GMT')).toBe(written123 - 123 + 182_000)
  for (const odd of [
    '2026-04-30 13:14:09.700 CEST',
    'yesterday',
    undefined,
    '1960-01-01 00:00:00.000 UTC',
  ])
    expect(at(odd), odd).toBe(written123)
})

test.each([
  [
    'other programs',
    JSON.stringify({ level: 'info', logger: 'wal-archive', msg: 'record', record }),
  ],
  ['the program in the pod', JSON.stringify({ logger: 'postgres', msg: 'started', record })],
  ['no JSON', 'FATAL: out of memory'],
  ['half of it', written().slice(0, 200)],
  ['another shape', '{"logger":"postgres","msg":"record","record":[]}'],
  ['no session', written({ session_id: '../../etc' })],
  ['a number that is none', written({ session_line_num: '1e99' })],
  ['no severity', written({ error_severity: '<b>' })],
  ['a number for a text', written({ message: 7 })],
  ['deep', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
])('a line of %s is no entry', (_, text) => {
  expect(entryOf(line(text))).toBeUndefined()
})

test('what people write into their messages stays a message', () => {
  const hostile = `"}}\n{"logger":"postgres","msg":"record"}\u2028\\u0000\t</script>`
  expect(entryOf(line(written({ message: hostile })))?.message).toBe(hostile)
  const [only, ...more] = linesOf([`${stamp} ${written({ message: hostile })}\n`], 5000)
  expect(more).toEqual([])
  expect(entryOf(only ?? line(''))?.message).toBe(hostile)
})

test('lines come whole from pieces that end anywhere, in a letter too', () => {
  const bytes = Buffer.from(`${stamp} eins zwölf\n${stamp} drei\n`)
  const pieces = Array.from(bytes, (byte) => Buffer.from([byte]))
  expect(linesOf(pieces).map(({ text }) => text)).toEqual(['eins zwölf', 'drei'])
  expect(linesOf([bytes])).toEqual(linesOf(pieces))
  expect(linesOf([`${stamp} not ended`])).toEqual([])
})

test('of a line that is too long the beginning is kept, and the next one is whole', () => {
  const long = written({ message: 'x"\\é'.repeat(5000), detail: 'lost' })
  for (let maxBytes = 1000; maxBytes < 1020; maxBytes++) {
    const [first, second] = linesOf([`${stamp} ${long}\n${stamp} ${written()}\n`], maxBytes)
    expect(first).toMatchObject({ isCut: true })
    const entry = entryOf(first ?? line(''))
    expect(entry).toMatchObject({ id: '608be681.19-3', severity: 'ERROR', sql_state_code: '42P01' })
    expect(entry?.message).toMatch(/^x"\\é.*…$/s)
    expect(entry).not.toHaveProperty('detail')
    expect(entryOf(second ?? line(''))).toMatchObject({ message: record.message })
  }
})

test('a line says when it was written, wherever the machine is; others are passed over', () => {
  const at = (text: string) => linesOf([`${text} x\n`]).map(({ micros }) => micros)
  expect(at('2026-04-30T11:14:09.718123456Z')).toEqual([1_777_547_649_718_123])
  expect(at('2026-04-30T13:14:09.7+02:00')).toEqual([1_777_547_649_700_000])
  expect(at('2026-04-30T11:14:09Z')).toEqual([1_777_547_649_000_000])
  expect(at('2026-99-99T11:14:09Z')).toEqual([])
  expect(at('unable to retrieve container logs')).toEqual([])
})

test('who goes on asks from the second of what may be missing, and knows what was handed over', () => {
  const cursor = createCursor()
  expect(cursor.since()).toBeUndefined()
  const second = 1_000_000
  const start = 1_777_547_649 * second
  cursor.handedOver('a', start)
  cursor.handedOver('b', start + 5)
  expect(cursor.isNew('a', start)).toBe(false)
  expect(cursor.isNew('c', start + 3)).toBe(true)
  cursor.handedOver('d', start + 10 * second + 7)
  expect(cursor.since()).toBe('2026-04-30T11:14:17Z')
  expect(cursor.isNew('late', start + second)).toBe(false)
  expect(cursor.isNew('d', start + 10 * second + 7)).toBe(false)
  expect(cursor.isNew('e', start + 10 * second + 7)).toBe(true)
  expect(cursor.last()).toBe(start + 10 * second + 7)
})

test('however much comes in a second, little of it is kept in mind, and nothing is new twice', () => {
  const cursor = createCursor()
  const start = 1_777_547_649 * 1_000_000
  for (let i = 0; i < 50_000; i++) cursor.handedOver(`s-${i}`, start + i)
  for (const i of [0, 1, 44_000, 45_001, 49_999])
    expect(cursor.isNew(`s-${i}`, start + i), String(i)).toBe(false)
  expect(cursor.isNew('s-50000', start + 50_000)).toBe(true)
  const next = createCursor(cursor.place())
  expect(next.isNew('s-49999', start + 49_999)).toBe(false)
  expect(next.isNew('s-49998', start + 49_998)).toBe(false)
  expect(next.isNew('in the same microsecond', start + 49_999)).toBe(true)
  expect(next.place()).toEqual({ at: start + 49_999, ids: ['s-49999'] })
})
