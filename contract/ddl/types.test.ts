import fc from 'fast-check'
import { parse } from 'libpg-query'
import { expect, test } from 'vitest'
import { changeEnum, createType, dropType, type EnumValue, type TypeSpec } from './types.ts'

const base: TypeSpec = {
  schema: 'public',
  name: 'mood',
  kind: 'enum',
  values: ['sad', 'ok', 'happy'],
  attributes: [],
  base_type: null,
  not_null: false,
  default_value: null,
  checks: [],
  comment: null,
}
const kept: EnumValue[] = base.values.map((value) => ({ was: value, value }))

test('values are added where they were put', () => {
  const values = [
    { value: 'awful' },
    ...kept.slice(0, 2),
    { value: 'fine' },
    { value: 'good' },
    ...kept.slice(2),
  ]
  expect(changeEnum(base, { name: 'mood', comment: null, values })).toEqual({
    name: 'change_enum_mood',
    statements: [
      "alter type public.mood add value 'awful' before 'sad'",
      "alter type public.mood add value 'fine' after 'ok'",
      "alter type public.mood add value 'good' after 'fine'",
    ],
  })
  expect(changeEnum(base, { name: 'mood', comment: null, values: kept })).toBeUndefined()
})

test('a type that is renamed with its values goes back the same way', () => {
  const values = [{ was: 'sad', value: 'low' }, ...kept.slice(1)]
  expect(changeEnum(base, { name: 'feeling', comment: 'How it is', values })).toEqual({
    name: 'change_enum_mood',
    statements: [
      "alter type public.mood rename value 'sad' to 'low'",
      'alter type public.mood rename to feeling',
      "comment on type public.feeling is 'How it is'",
    ],
    inverse: [
      'comment on type public.feeling is null',
      'alter type public.feeling rename to mood',
      "alter type public.mood rename value 'low' to 'sad'",
    ],
  })
})

/** What an enum's values are after statements that rename. */
function after(values: readonly string[], statements: readonly string[]): string[] {
  let now = [...values]
  for (const sql of statements) {
    const [, was, to] = /rename value '((?:[^']|'')*)' to '((?:[^']|'')*)'$/.exec(sql) ?? []
    if (was === undefined || to === undefined) throw new Error(sql)
    if (!now.includes(was) || now.includes(to)) throw new Error(`${sql} of ${now.join()}`)
    now = now.map((value) => (value === was ? to : value))
  }
  return now
}

test('values may change their names among themselves', () => {
  const letters = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'renaming', 'renaming 1'), {
    minLength: 4,
    maxLength: 4,
  })
  fc.assert(
    fc.property(letters, letters, (from, to) => {
      const values = from.map((was, index) => ({ was, value: to[index] ?? '' }))
      const change = changeEnum({ ...base, values: from }, { name: 'mood', comment: null, values })
      expect(after(from, change?.statements ?? [])).toEqual(to)
      expect(after(to, change?.inverse ?? [])).toEqual(from)
    }),
    { numRuns: 1000 },
  )
})

test('two values of one name end too, for Postgres to refuse', () => {
  const values = [
    { was: 'sad', value: 'ok' },
    { was: 'ok', value: 'ok' },
    { was: 'happy', value: 'ok' },
  ]
  expect(changeEnum(base, { name: 'mood', comment: null, values })?.statements).toHaveLength(2)
})

const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .filter((value) => !value.includes('\0') && !/\p{Surrogate}/u.test(value))
const name = text.filter((value) => value.length > 0)

test('whatever they are called, every statement is one statement', async () => {
  const spec: fc.Arbitrary<TypeSpec> = fc.record({
    schema: name,
    name,
    kind: fc.constantFrom(
      'enum' as const,
      'composite' as const,
      'domain' as const,
      'range' as const,
    ),
    values: fc.array(text, { maxLength: 4 }),
    attributes: fc.array(fc.record({ name, type: fc.constantFrom('integer', 'app."T "[]') }), {
      maxLength: 3,
    }),
    base_type: fc.constant('integer'),
    not_null: fc.boolean(),
    default_value: fc.constantFrom(null, '5'),
    checks: fc.array(fc.record({ name, definition: fc.constant('CHECK ((VALUE > 0))') }), {
      maxLength: 2,
    }),
    comment: fc.option(text),
  })
  await fc.assert(
    fc.asyncProperty(
      spec,
      name,
      fc.array(text, { maxLength: 4 }),
      async (type, renamed, values) => {
        const desired = values.map((value, index) => ({ was: type.values[index], value }))
        const statements = [
          ...createType(type).statements,
          ...dropType(type, true).statements,
          ...(dropType(type).inverse ?? []),
          ...(changeEnum(type, { name: renamed, comment: null, values: desired })?.statements ??
            []),
        ]
        for (const sql of statements) expect((await parse(sql)).stmts, sql).toHaveLength(1)
      },
    ),
    { numRuns: 1000 },
  )
}, 60_000)
