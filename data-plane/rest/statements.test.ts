import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOr } from '#kit/testing/runs'
import type { Prepared } from './requests/prepared.ts'
import { Problem } from './answers/problem.ts'
import { prepareCall } from './requests/serve-call.ts'
import { prepareRead } from './requests/serve-read.ts'
import { prepareWrite, type WriteVerb } from './requests/serve-write.ts'
import { sessionSql } from './sql/settings-sql.ts'
import { incomingOf, testSchema, testSettings } from '../testing/rest/schema.ts'

const serving = { schema: testSchema, settings: testSettings }
const encode = encodeURIComponent
const read = (query: string, headers = {}) =>
  prepareRead(incomingOf('GET', `/books?${query}`, undefined, headers), 'books', serving)
const write = (verb: WriteVerb, query: string, body?: string, headers = {}) =>
  prepareWrite(incomingOf(verb, `/books?${query}`, body, headers), verb, 'books', serving)
const call = (body: string) => prepareCall(incomingOf('POST', '/rpc/add', body), 'add', serving)
const textOf = (prepared: Prepared) => prepared.statements.map((s) => s.text).join(';\n')
const valuesOf = (prepared: Prepared) =>
  prepared.statements.flatMap((s) => s.values.map((value) => value && String(value)))

describe('one statement each', () => {
  test('a read', () => {
    const prepared = read('id=eq.5&select=id,t:title&order=id.desc&limit=3')
    expect(prepared.statements).toHaveLength(1)
    expect(textOf(prepared)).toContain(
      'select "books"."id", "books"."title" as "t" from "public"."books" where "books"."id" = $1 order by "books"."id" desc limit 3',
    )
    expect(valuesOf(prepared)).toEqual(['5'])
    expect(prepared.readOnly).toBe(true)
  })

  test('a list of any length is one value, so the statement stays the same', () => {
    const lists = [[1], [1, 2], Array.from({ length: 3000 }, (_, i) => i)]
    const all = lists.map((list) => read(`id=in.(${list.join(',')})`))
    expect(new Set(all.map(textOf)).size).toBe(1)
    expect(all.map((prepared) => valuesOf(prepared).length)).toEqual([1, 1, 1])
  })

  test('a number of rows that pages have is part of the statement, any other is a value', () => {
    expect(textOf(read('limit=1000'))).toContain(' limit 1000)')
    const beyond = prepareRead(incomingOf('GET', '/books?limit=5000'), 'books', {
      schema: testSchema,
      settings: { ...testSettings, maxRows: Infinity },
    })
    expect(textOf(beyond)).toContain(' limit $1::int8)')
    expect(valuesOf(beyond)).toEqual(['5000'])
  })

  test('any number of rows is one value', () => {
    const rows = Array.from({ length: 70_000 }, (_, id) => ({ id, title: 'x' }))
    const prepared = write('POST', '', JSON.stringify(rows))
    expect(prepared.statements).toHaveLength(1)
    expect(valuesOf(prepared)).toHaveLength(1)
  })

  test('the body goes to the database as it came: no number loses digits', () => {
    const body = '{"id":1,"data":{"n":12345678901234567890.123456789}}'
    expect(valuesOf(write('POST', '', body))).toEqual([body])
  })

  test('returning asks for what is shown and no more, since it takes the right to read', () => {
    const text = (query: string, prefer: string) =>
      textOf(write('PATCH', query, '{"title":"x"}', { prefer }))
    expect(text('id=eq.1', 'return=minimal')).toContain('returning 1)')
    expect(text('id=eq.1&select=title', 'return=representation')).toContain(
      'returning "books"."title")',
    )
    expect(text('id=eq.1', 'return=representation')).toContain('returning "books".*)')
  })

  test('settings are local to the transaction', () => {
    const { text, values } = sessionSql({
      role: 'anon',
      claims: '{}',
      method: 'GET',
      path: '/',
      headers: '{}',
      cookies: '{}',
      searchPath: ['we"ird', 'public'],
      readOnly: true,
      settings: [['statement_timeout', '3s']],
    })
    expect(text.match(/set_config\(\$\d+, \$\d+, true\)/g)).toHaveLength(values.length / 2)
    expect(values).toContain('"we""ird", "public"')
    expect(values.slice(-2)).toEqual(['transaction_read_only', 'on'])
  })
})

describe('nothing of a request becomes SQL', () => {
  const marker = 'zqx'
  const marks = `'";\\-->/*$(),.:! \n{}%é`.split('')
  const nasty = fc
    .array(fc.constantFrom(...marks, 'select ', '::text', '$1', '"'), {
      maxLength: 12,
    })
    .map((parts) => `${marker}${parts.join('')}`)
  const quoted = (s: string) => `"${s.replaceAll(/["\\]/g, '\\$&')}"`

  /** The statement without its quoted identifiers: nothing of the request may be left in it. */
  const bare = (text: string) => text.replaceAll(/"(?:[^"]|"")*"/g, '"_"')

  function check(make: () => Prepared): void {
    let prepared: Prepared
    try {
      prepared = make()
    } catch (error) {
      expect(error).toBeInstanceOf(Problem)
      return
    }
    const text = bare(textOf(prepared))
    expect(text).not.toContain(marker)
    expect(text).not.toContain('"_""')
    expect(text).not.toMatch(/;|--|\/\*/)
  }

  test('names and values of a read', () => {
    fc.assert(
      fc.property(nasty, nasty, nasty, (a, b, c) => {
        const [x, y] = [encode(quoted(a)), encode(quoted(b))]
        const queries = [
          `${x}=eq.${encode(c)}`,
          `${encode(a)}=eq.1`,
          `id=in.(${encode(quoted(a))},${encode(b)})`,
          `tags=in.(${encode(quoted(a))})`,
          `title=fts(${encode(a)}).${encode(b)}`,
          `title=like(any).${encode(a)}`,
          `or=(${x}.eq.${encode(c)},${y}.is.null,data->${x}.eq.${y})`,
          `select=${x}:${y},data->${x}->>${y},id::${encode(c)},title::${x}`,
          `order=${x}.desc,data->${y}.nullsfirst`,
          `data->${x}=eq.${encode(c)}`,
          `select=${x}:authors(${y},${x}:name)&${x}.${y}=eq.${encode(c)}&${x}.order=${y}`,
          `select=authors!${x}(name)`,
          `select=authors!inner(name)&authors.or=(${x}.eq.${y})&order=authors(${x})`,
          `select=...authors(${x}:name)&${x}=is.null`,
          `select=${x}(${y})`,
        ]
        for (const query of queries) check(() => read(query, { prefer: 'count=exact' }))
      }),
      { numRuns: runsOr(300) },
    )
  })

  test('names and values of writes and calls', () => {
    fc.assert(
      fc.property(nasty, nasty, (a, b) => {
        const body = JSON.stringify({ title: a, data: { [b]: a } })
        for (const prefer of [
          'return=representation',
          'resolution=merge-duplicates',
          'missing=default',
        ]) {
          check(() => write('POST', `select=${encode(quoted(a))}`, body, { prefer }))
          check(() => write('POST', '', JSON.stringify({ [a]: b }), { prefer }))
          check(() => write('POST', `on_conflict=${encode(quoted(b))}`, body, { prefer }))
          check(() => write('POST', `columns=${encode(quoted(b))}`, body, { prefer }))
        }
        check(() => write('PATCH', `title=eq.${encode(a)}`, body))
        check(() => write('PUT', `id=eq.${encode(a)}`, JSON.stringify({ id: a, title: b })))
        check(() => write('DELETE', `${encode(quoted(a))}=eq.${encode(b)}`))
        check(() => call(JSON.stringify({ a, b })))
        check(() => call(JSON.stringify({ [a]: b })))
      }),
      { numRuns: runsOr(300) },
    )
  })
})

test.each([
  ['an array of arrays', '[[1]]'],
  ['a number', '5'],
  ['null', 'null'],
  ['nothing', ''],
  ['half an object', '{"id":'],
  ['rows of different keys', '[{"id":1},{"title":"x"}]'],
  ['a row that is no object', '[{"id":1},2]'],
  ['very deep JSON', `{"data":${'['.repeat(600)}${']'.repeat(600)}}`],
])('a body that is %s is refused', (_, body) => {
  expect(() => write('POST', '', body)).toThrow(Problem)
})

test('an unknown column is named', () => {
  expect(() => write('POST', '', '{"titel":1}')).toThrow(
    "Could not find the 'titel' column of 'books' in the schema cache",
  )
})
