import fc from 'fast-check'
import { parse } from 'libpg-query'
import { expect, test } from 'vitest'
import { namesIn, settingSql } from './function-parts.ts'
import {
  canReplace,
  changeFunction,
  createFunction,
  dropFunction,
  functionSql,
  type FunctionSpec,
} from './functions.ts'

const base: FunctionSpec = {
  kind: 'function',
  schema: 'public',
  name: 'add',
  args: [
    { mode: 'in', name: 'a', type: 'integer', default_value: null },
    { mode: 'in', name: 'b', type: 'integer', default_value: '1' },
  ],
  return_type: 'integer',
  language: 'sql',
  body: 'quoted',
  definition: 'select a + b',
  behavior: 'IMMUTABLE',
  security_definer: false,
  strict: false,
  leakproof: false,
  parallel: 'UNSAFE',
  cost: 100,
  rows: 0,
  config_params: {},
  comment: null,
}

test('a function reads as people write one', () => {
  expect(
    createFunction({ ...base, config_params: { search_path: '' }, comment: "Adds 'two'" }),
  ).toEqual({
    name: 'create_function_add',
    statements: [
      `create function public.add(a integer, b integer default 1)
returns integer
language sql
immutable
set search_path to ''
as $function$select a + b$function$`,
      "comment on function public.add(integer, integer) is 'Adds ''two'''",
    ],
    inverse: ['drop function public.add(integer, integer)'],
  })
})

test('what can stay in place is replaced, everything else is made anew', () => {
  const body = changeFunction(base, { ...base, definition: 'select 0' })
  expect(body?.statements).toHaveLength(1)
  expect(body?.statements[0]).toMatch(/^create or replace function/)
  expect(body?.inverse?.[0]).toContain('select a + b')
  const result = { ...base, return_type: 'bigint' }
  expect(canReplace(base, result)).toBe(false)
  expect(changeFunction(base, result)?.statements.map((sql) => sql.slice(0, 15))).toEqual([
    'drop function p',
    'create function',
  ])
  const noDefault = { ...base, args: base.args.map((arg) => ({ ...arg, default_value: null })) }
  expect(canReplace(base, noDefault)).toBe(false)
  expect(canReplace(noDefault, base)).toBe(true)
})

test('a new name and another schema are no new function', () => {
  expect(changeFunction(base, { ...base, schema: 'other', name: 'sum' })).toEqual({
    name: 'change_function_add',
    statements: [
      'alter function public.add(integer, integer) set schema other',
      'alter function other.add(integer, integer) rename to sum',
    ],
    inverse: [
      'alter function other.sum(integer, integer) set schema public',
      'alter function public.sum(integer, integer) rename to add',
    ],
  })
  expect(changeFunction(base, { ...base })).toBeUndefined()
})

test('a list of names stays a list', () => {
  expect(namesIn('"$user", public')).toEqual(['$user', 'public'])
  expect(namesIn('""')).toEqual([''])
  expect(namesIn('')).toEqual([''])
  expect(namesIn('"a, ""b", c')).toEqual(['a, "b', 'c'])
  expect(settingSql('search_path', 'public, extensions')).toBe(
    "set search_path to 'public', 'extensions'",
  )
  expect(settingSql('app.Name', 'a, b')).toBe(`set app."Name" to 'a, b'`)
})

const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .filter((value) => !value.includes('\0') && !/\p{Surrogate}/u.test(value))
const name = text.filter((value) => value.length > 0)
const type = fc.constantFrom(
  'integer',
  'text[]',
  'character varying(20)',
  'app."My ""type"" -- x"',
  'numeric(4,2)',
)
const args = fc.array(
  fc.record({
    mode: fc.constantFrom('in' as const, 'inout' as const),
    name,
    type,
    default_value: fc.constant(null),
  }),
  { maxLength: 4 },
)
const spec: fc.Arbitrary<FunctionSpec> = fc.record({
  kind: fc.constantFrom('function' as const, 'procedure' as const),
  schema: name,
  name,
  args,
  return_type: fc.constantFrom('integer', 'void', 'SETOF app."a -- b"'),
  language: fc.constantFrom('sql', 'plpgsql', 'PL "odd"'),
  body: fc.constant('quoted' as const),
  definition: fc.oneof(
    text,
    fc.constantFrom('$function$', '$function', '$$;drop table x;--', 'a$function1$'),
  ),
  behavior: fc.constantFrom('IMMUTABLE' as const, 'STABLE' as const, 'VOLATILE' as const),
  security_definer: fc.boolean(),
  strict: fc.boolean(),
  leakproof: fc.boolean(),
  parallel: fc.constantFrom('UNSAFE' as const, 'RESTRICTED' as const, 'SAFE' as const),
  cost: fc.constantFrom(100, 1, 0.5),
  rows: fc.constantFrom(1000, 10),
  config_params: fc.dictionary(fc.constantFrom('search_path', 'work_mem', 'app.x'), text, {
    maxKeys: 2,
  }),
  comment: fc.option(text),
})

/** What the grammar has read: the name, the body and how many statements there were. */
async function read(sql: string) {
  const { stmts = [] } = await parse(sql)
  const node = stmts[0]?.stmt
  if (stmts.length !== 1 || !node || !('CreateFunctionStmt' in node)) throw new Error(sql)
  const strings = JSON.stringify(node.CreateFunctionStmt.funcname)
  const body = node.CreateFunctionStmt.options?.find(
    (o) => 'DefElem' in o && o.DefElem.defname === 'as',
  )
  return { names: strings, body: JSON.stringify(body) }
}

test('whatever they are called, every statement is one statement that says what was meant', async () => {
  await fc.assert(
    fc.asyncProperty(spec, spec, async (before, after) => {
      const made = await read(functionSql(before))
      expect(made.names).toContain(JSON.stringify(before.name))
      expect(made.body).toContain(`"sval":${JSON.stringify(before.definition)}`)
      const statements = [
        ...createFunction(before).statements,
        ...(changeFunction(before, after)?.statements ?? []),
        ...(changeFunction(before, {
          ...before,
          name: after.name,
          schema: after.schema,
          definition: after.definition,
        })?.statements ?? []),
        ...dropFunction(before, true).statements,
      ]
      for (const sql of statements) expect((await parse(sql)).stmts, sql).toHaveLength(1)
    }),
    { numRuns: 1000 },
  )
}, 60_000)
