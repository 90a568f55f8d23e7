import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQuery } from './parse-query.ts'
import { Problem } from '../answers/problem.ts'
import type { Field, Logic, Query } from './query.ts'

const encode = encodeURIComponent
const only = (query: Query): Logic | undefined => query.where[0]?.is
const column = (name: string): Field => ({ name, json: [] })

describe('select', () => {
  test.each([
    ['', []],
    ['*', [{ kind: 'all' }]],
    ['id', [{ name: 'id' }]],
    ['id,b', [{ name: 'id' }, { name: 'b' }]],
    ['t:title', [{ name: 'title', alias: 't' }]],
    ['id::text', [{ name: 'id', cast: 'text' }]],
    ['n:id::double precision', [{ name: 'id', cast: 'double precision', alias: 'n' }]],
    ['tags::int[]', [{ name: 'tags', cast: 'int[]' }]],
    ['"a,b":"c.d"', [{ name: 'c.d', alias: 'a,b' }]],
    ['häß lich-name', [{ name: 'häß lich-name' }]],
  ])('%s', (text, expected) => {
    const read = parseQuery(`select=${encode(text)}`).select.map((item) =>
      item.kind === 'field'
        ? {
            name: item.field?.name,
            ...(item.alias === undefined ? {} : { alias: item.alias }),
            ...(item.cast === undefined ? {} : { cast: item.cast }),
          }
        : { kind: item.kind },
    )
    expect(read).toEqual(expected)
  })

  test('places inside JSON: keys, indices, quoted keys, text at the end', () => {
    const [item] = parseQuery(`select=${encode('data->a->-1->>"b.c"::int')}`).select
    expect(item).toMatchObject({
      cast: 'int',
      field: {
        name: 'data',
        json: [
          { asText: false, step: { key: 'a' } },
          { asText: false, step: { index: -1 } },
          { asText: true, step: { key: 'b.c' } },
        ],
      },
    })
  })

  test('a key that only starts with digits is a key', () => {
    const [item] = parseQuery('select=data->1a').select
    expect(item).toMatchObject({ field: { json: [{ step: { key: '1a' } }] } })
  })

  test('embeds, hints, joins, spreads and aggregates', () => {
    const text = 'a:authors!books_fk!inner(name,...country(code)),count(),price.sum()::int,empty()'
    expect(parseQuery(`select=${text}`).select).toMatchObject([
      {
        kind: 'embed',
        relation: 'authors',
        alias: 'a',
        hint: 'books_fk',
        join: 'inner',
        select: [{ kind: 'field' }, { kind: 'embed', relation: 'country', spread: true }],
      },
      { kind: 'field', field: undefined, aggregate: 'count' },
      { kind: 'field', field: column('price'), aggregate: 'sum', aggregateCast: 'int' },
      { kind: 'embed', relation: 'empty', select: [] },
    ])
  })
})

describe('filters', () => {
  test.each([
    ['id=eq.5', { operator: 'eq', value: '5' }],
    ['id=eq.', { operator: 'eq', value: '' }],
    ['id=eq(any).{1,2}', { operator: 'eq', quantifier: 'any', value: '{1,2}' }],
    ['id=like(all).{*a*,b}', { operator: 'like', quantifier: 'all', value: '{*a*,b}' }],
    ['id=in.(1,2)', { kind: 'in', values: ['1', '2'] }],
    ['id=in.()', { kind: 'in', values: [] }],
    ['id=in.("a,b","c\\"d","e\\\\f",g"h)', { values: ['a,b', 'c"d', 'e\\f', 'g"h'] }],
    ['id=is.NULL', { kind: 'is', value: 'null' }],
    ['id=is.not_null', { kind: 'is', value: 'not_null' }],
    ['id=isdistinct.a.b', { kind: 'distinct', value: 'a.b' }],
    ['id=fts(english).cat', { kind: 'search', operator: 'fts', language: 'english', value: 'cat' }],
    ['id=wfts.fat%20cat', { kind: 'search', operator: 'wfts', value: 'fat cat' }],
    ['id=cs.{a,b}', { operator: 'cs', value: '{a,b}' }],
    ['id=adj.[1,2)', { operator: 'adj', value: '[1,2)' }],
    ['id=eq.a+b', { value: 'a b' }],
    ['id=eq.a%2Bb', { value: 'a+b' }],
  ])('%s', (text, operation) => {
    expect(only(parseQuery(text))).toMatchObject({ kind: 'filter', not: false, operation })
  })

  test('not, embedded paths and JSON paths', () => {
    const query = parseQuery('author.data-%3E%3Ename=not.eq.x')
    expect(query.where).toMatchObject([
      {
        path: ['author'],
        is: { not: true, field: { name: 'data', json: [{ asText: true, step: { key: 'name' } }] } },
      },
    ])
  })

  test('logic nests, and lists, arrays and quoted values keep their commas', () => {
    const text = '(a.eq.1,not.and(b.in.(1,2),c.cs.{x,y}),d.eq."e,)",not.eq.5)'
    expect(only(parseQuery(`or=${encode(text)}`))).toMatchObject({
      kind: 'or',
      of: [
        { operation: { value: '1' } },
        { kind: 'and', not: true, of: [{ operation: { values: ['1', '2'] } }, {}] },
        { operation: { value: 'e,)' } },
        { field: { name: 'not' }, operation: { value: '5' } },
      ],
    })
  })

  test('what stands where it stands: root, embed, negated, ordered, paged', () => {
    const query = parseQuery('x.not.or=(a.eq.1)&x.order=b.desc.nullslast,c&x.limit=3&offset=4')
    expect(query.where).toMatchObject([{ path: ['x'], is: { kind: 'or', not: true } }])
    expect(query.order).toMatchObject([
      {
        path: ['x'],
        is: [
          { field: column('b'), direction: 'desc', nulls: 'last' },
          { field: column('c'), direction: undefined },
        ],
      },
    ])
    expect(query.limit).toEqual([{ path: ['x'], is: 3 }])
    expect(query.offset).toEqual([{ path: [], is: 4 }])
  })
})

describe('refused', () => {
  test.each([
    ['id=5'],
    ['id=foo.5'],
    ['id=eq'],
    ['id=eq(none).5'],
    ['id=neq(any).{5}'],
    ['id=in.1,2'],
    ['id=in.(1'],
    ['id=in.(1)x'],
    ['id=is.maybe'],
    ['id=fts().x'],
    ['=eq.1'],
    ['a..b=eq.1'],
    ['""=eq.1'],
    ['select=""'],
    ['"a=eq.1'],
    ['or=a.eq.1'],
    ['or=()'],
    ['or=(a.eq.1'],
    ['or=(a.eq.1))'],
    ['select=a,,b'],
    ['select=a,'],
    ['select=a:'],
    ['select=a::'],
    ['select=a::int;drop'],
    ['select=a(b'],
    ['select=a.median()'],
    ['select=a!x!y!z(b)'],
    ['order=a.up'],
    ['order=a.asc.desc'],
    ['order=,'],
    ['limit=x'],
    ['limit=1.5'],
    ['columns=a,'],
    ['on_conflict="a'],
    ['id=eq.%00'],
    ['%00=eq.1'],
    ['id=eq.%ff'],
    [`or=${'(and'.repeat(50)}`],
    [`select=${'a('.repeat(5000)}`],
    [Array.from({ length: 1001 }, () => 'a=eq.1').join('&')],
  ])('%s', (text) => {
    const failure = failureOf(text)
    expect(failure.status).toBe(400)
    expect(failure.code).toBe('PGRST100')
    expect(failure.message).toMatch(/failed to parse|cannot be read/)
  })

  test.each(['50%', '%', '%zz', '100%25 of 50%'])('but %s is text, whose sign is one', (text) => {
    const { where } = parseQuery(`a=eq.${text}`)
    expect(where).toMatchObject([{ is: { operation: { value: text.replace('%25', '%') } } }])
  })

  test('a negative limit is a range that cannot be, a negative offset begins before the first row', () => {
    expect(failureOf('limit=-1')).toMatchObject({ status: 416, code: 'PGRST103' })
    expect(parseQuery('offset=-1').offset).toEqual([{ path: [], is: -1 }])
  })
})

function failureOf(text: string): Problem {
  try {
    parseQuery(text)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('It was accepted')
}

test('arguments of a function are what is no filter', () => {
  const query = parseQuery('a=1&b=eq.2&a=3&select=x', true)
  expect(query.args).toEqual([
    ['a', '1'],
    ['a', '3'],
  ])
  expect(query.where).toHaveLength(1)
})

test('the canonical query is sorted and leaves out the key', () => {
  expect(parseQuery('b=eq.1&apikey=secret&a=eq.%C3%A4').canonical).toBe('a=eq.%C3%A4&b=eq.1')
})

describe('properties', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 }).filter((s) => !s.includes('\0'))
  const name = text.filter((s) => s !== '')
  const quoted = (s: string) => `"${s.replaceAll(/["\\]/g, '\\$&')}"`

  test('whatever a client sends is read or refused, never a crash', () => {
    const marks = 'abc.,:()!"\\{}*->=&%+ 0-'.split('')
    const alphabet = [...marks, 'eq.', 'in.(', 'not.', 'and=(', 'select=']
    const noise = fc.array(fc.constantFrom(...alphabet), { maxLength: 60 }).map((x) => x.join(''))
    fc.assert(
      fc.property(fc.oneof(noise, fc.string({ unit: 'binary' })), fc.boolean(), (raw, call) => {
        try {
          parseQuery(raw, call)
        } catch (error) {
          expect(error).toBeInstanceOf(Problem)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('every value comes through as it was', () => {
    fc.assert(
      fc.property(name, text, (key, value) => {
        const query = parseQuery(`${encode(quoted(key))}=${encode(`eq.${value}`)}`)
        expect(only(query)).toMatchObject({ field: { name: key }, operation: { value } })
      }),
    )
  })

  test('every list of quoted values comes through', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (list) => {
        const query = parseQuery(`a=${encode(`in.(${list.map(quoted).join(',')})`)}`)
        expect(only(query)).toMatchObject({ operation: { values: list } })
      }),
    )
  })

  test('every quoted name comes through in select and order', () => {
    fc.assert(
      fc.property(name, name, (alias, key) => {
        const raw = `select=${encode(`${quoted(alias)}:${quoted(key)}`)}&order=${encode(quoted(key))}`
        const query = parseQuery(raw)
        expect(query.select).toMatchObject([{ alias, field: { name: key } }])
        expect(query.order).toMatchObject([{ is: [{ field: { name: key } }] }])
      }),
    )
  })
})
