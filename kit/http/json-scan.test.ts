import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson, shapeOf } from './json-body.ts'
import { JsonRefusal, JsonScan, type JsonBounds } from './json-scan.ts'

const anything: JsonBounds = { depth: 500, values: Infinity, keys: Infinity }

/** Read in pieces of this size, as a large text is. */
function readIn(max: number, text: string) {
  const scan = new JsonScan(Buffer.from(text), anything)
  while (!scan.step(max));
  return scan.shape()
}

function isGood(text: string): boolean {
  try {
    readIn(1, text)
    return true
  } catch (error) {
    if (error instanceof JsonRefusal) return false
    throw error
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('what is well-formed', () => {
  test('is what the engine can parse', () => {
    fc.assert(fc.property(fc.json(), (text) => isGood(text)))
    fc.assert(fc.property(fc.string(), (text) => isGood(text) === parses(text)))
  })

  test('also for texts that are nearly right', () => {
    const parts = [
      ...'{}[],:"\\ue+-.0123456789tfn \n'.split(''),
      'true',
      'null',
      '\\u00e9',
      '"a"',
      '1e5',
      '\t',
      '\u0001',
    ]
    const nearly = fc
      .array(fc.constantFrom(...parts), { maxLength: 9 })
      .map((list) => list.join(''))
    fc.assert(
      fc.property(nearly, (text) => isGood(text) === parses(text)),
      { numRuns: 20_000 },
    )
  })

  test('also for good texts with one byte exchanged', () => {
    const changed = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[],:"\\0-.e t'.split('')))
      .map(([text, at, sign]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + sign + text.slice(place + 1)
      })
    fc.assert(
      fc.property(changed, (text) => isGood(text) === parses(text)),
      { numRuns: 5000 },
    )
  })
})

test('rows have the keys that the engine finds', () => {
  const name = fc.constantFrom('a', 'b', 'é', 'c"d', '\n', 'e')
  const row = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  fc.assert(
    fc.property(fc.array(row), fc.integer({ min: 1, max: 9 }), (rows, max) => {
      const keys = Object.keys(rows[0] ?? {})
      const uniform = rows.every((one) => {
        const own = Object.keys(one)
        return own.length === keys.length && own.every((key) => keys.includes(key))
      })
      const shape = readIn(max, JSON.stringify(rows))
      expect(shape).toEqual({ form: 'array', length: rows.length, keys, uniform, mixed: false })
    }),
  )
})

test('keys that stand twice, in another order or spelled otherwise are the same keys', () => {
  const keysOf = (text: string) => {
    const { keys, uniform } = readIn(3, text)
    return [keys, uniform]
  }
  expect(keysOf('{"a":1,"b":2,"a":{"c":3}}')).toEqual([['a', 'b'], true])
  expect(keysOf(String.raw`[{"a":1,"b":2},{"b":1,"\u0061":[{"x":1}]}]`)).toEqual([['a', 'b'], true])
  expect(keysOf('[{"a":1,"a":2,"b":3},{"a":1,"a":2,"b":3},{"b":1,"a":1}]')).toEqual([
    ['a', 'b'],
    true,
  ])
  expect(keysOf('[{"a":1,"b":2},{"a":1,"a":2}]')).toEqual([['a', 'b'], false])
  expect(readIn(1, '[{"a":1},2,[{"b":1}]]')).toMatchObject({ length: 3, mixed: true })
  expect(readIn(1, ' 12 ')).toMatchObject({ form: 'scalar', length: 1, keys: [] })
})

test('of a million keys only so many are kept as a table could have', async () => {
  const text = `{${Array.from({ length: 1_000_000 }, (_, i) => `"${i}":1`).join(',')}}`
  expect((await shapeOf(Buffer.from(text), anything)).keys).toHaveLength(1700)
  await expect(parseJson(Buffer.from(text))).rejects.toThrow('more than 2000 members')
})

test('of one key again and again nothing is kept for each time', () => {
  const text = Buffer.from(`{${'"id":1,'.repeat(2_000_000)}"id":1}`)
  const scan = new JsonScan(text, anything)
  const before = process.memoryUsage().heapUsed
  scan.step(text.length)
  // What a collector has not come to yet is some megabytes.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024)
  expect(scan.shape()).toMatchObject({ keys: ['id'], uniform: true })
})

test('what is beyond its bounds is said so', async () => {
  const refusal = async (text: string) => {
    const error: unknown = await parseJson(Buffer.from(text), {
      depth: 3,
      values: 5,
      keys: 2,
    }).catch((refused: unknown) => refused)
    return error instanceof JsonRefusal ? error.kind : error
  }
  expect(await refusal('[[[1]]]')).toEqual([[[1]]])
  expect(await refusal('[[[[')).toBe('too deep')
  expect(await refusal('[1,2,3,4]')).toEqual([1, 2, 3, 4])
  expect(await refusal('[1,2,3,4,5]')).toBe('too many')
  expect(await refusal('{"a":1,"b":1,"c":1}')).toBe('too many')
  expect(await refusal('')).toBe('malformed')
})
