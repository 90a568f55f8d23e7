import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseFunction } from '#contract/database/database-functions'
import {
  changeFunction,
  createFunction,
  dropFunction,
  type FunctionSpec,
} from '#contract/ddl/functions'
import { specOf } from './function-changes.ts'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

const made = async (body: object) => {
  const answer = await meta.call('POST', 'functions', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as DatabaseFunction
}
const list = async (query = 'included_schemas=public') =>
  (await meta.call('GET', `functions?${query}`)).body as DatabaseFunction[]
const run = async (change: { name: string; statements: string[] } | undefined) => {
  if (!change) return
  const { status, body } = await meta.call('POST', 'changes', change)
  expect(status, JSON.stringify(body)).toBe(200)
}

test('what is not there or makes no sense is refused', async () => {
  expect(await meta.call('GET', 'functions/4000000000')).toMatchObject({
    status: 404,
    body: { error: 'Cannot find a function with ID 4000000000' },
  })
  expect((await meta.call('GET', 'functions/abc')).status).toBe(400)
  expect((await meta.call('DELETE', 'functions/4000000000')).status).toBe(404)
  const broken = { name: 'f', definition: 'select', language: 'sql', return_type: 'int' }
  expect(await meta.call('POST', 'functions', broken)).toMatchObject({ status: 400 })
  expect(
    await meta.call('POST', 'functions', { name: 'f', definition: 'select 1' }, 'plinth_read_only'),
  ).toMatchObject({ status: 400, body: { code: '25006' } })
  const attack = {
    name: 'f',
    definition: 'select 1',
    return_type:
      'int as $$select 1$$ language sql; drop schema public cascade; create function g() returns int',
  }
  expect(await meta.call('POST', 'functions', attack)).toMatchObject({
    status: 400,
    body: { code: 'invalid_input' },
  })
  expect(await list()).toEqual([])
})

test('a function is made, read, changed and removed in the shapes of the public API', async () => {
  const created = await made({
    name: 'add',
    definition: 'select a + b',
    args: ['a integer', 'b integer default 1'],
    return_type: 'integer',
    language: 'sql',
    behavior: 'STABLE',
    security_definer: true,
    config_params: { search_path: 'hooks, auth', work_mem: '8MB' },
  })
  expect(created).toMatchObject({
    schema: 'public',
    name: 'add',
    language: 'sql',
    definition: 'select a + b',
    args: [
      {
        mode: 'in',
        name: 'a',
        type_id: 23,
        has_default: false,
        type: 'integer',
        default_value: null,
      },
      {
        mode: 'in',
        name: 'b',
        type_id: 23,
        has_default: true,
        type: 'integer',
        default_value: '1',
      },
    ],
    argument_types: 'a integer, b integer DEFAULT 1',
    identity_argument_types: 'a integer, b integer',
    return_type_id: 23,
    return_type: 'integer',
    return_type_relation_id: null,
    is_set_returning_function: false,
    prorows: null,
    behavior: 'STABLE',
    security_definer: true,
    config_params: { search_path: 'hooks, auth', work_mem: '8MB' },
  })
  expect(created.complete_statement).toMatch(/^CREATE OR REPLACE FUNCTION public\.add/)
  await meta.sql('create schema if not exists elsewhere')
  const change = { name: 'sum', schema: 'elsewhere', definition: 'select b - a' }
  const changed = await meta.call('PATCH', `functions/${created.id}`, change)
  expect(changed.body).toMatchObject({ id: created.id, ...change, security_definer: true })
  expect(await meta.sql('select elsewhere.sum(2, 5) as is')).toEqual([{ is: 3 }])
  expect(await meta.call('DELETE', `functions/${created.id}`)).toMatchObject({
    status: 200,
    body: { name: 'sum' },
  })
  expect((await meta.call('GET', `functions/${created.id}`)).status).toBe(404)
})

test('procedures are told only to who asks; trigger functions and sets are told as what they are', async () => {
  await meta.sql(`create procedure tidy(a int, out b int) language plpgsql as 'begin b := a; end';
    create function touch() returns trigger language plpgsql as 'begin return new; end';
    create function pair(out x int, out y text) returns setof record language sql as 'select 1, ''a''';
    create function listed() returns table (n int) language sql begin atomic select 1; end`)
  const plain = await list()
  expect(plain.map(({ name }) => name)).toEqual(['listed', 'pair', 'touch'])
  const all = await list('included_schemas=public&include_procedures=true')
  expect(all.map(({ name, kind }) => [name, kind])).toContainEqual(['tidy', 'procedure'])
  expect(all.find(({ name }) => name === 'pair')).toMatchObject({
    return_type: 'SETOF record',
    is_set_returning_function: true,
    prorows: 1000,
    args: [
      { mode: 'out', name: 'x' },
      { mode: 'out', name: 'y' },
    ],
  })
  expect(all.find(({ name }) => name === 'listed')).toMatchObject({ body: 'standard' })
  for (const found of all) {
    const spec = specOf(found)
    // Written anew in its own place, every one of them is what it was.
    await run({ name: 'again', statements: dropFunction(spec).statements })
    await run(createFunction(spec))
  }
  const again = await list('included_schemas=public&include_procedures=true')
  const facts = (one: DatabaseFunction) => ({ ...one, id: 0 })
  expect(again.map(facts)).toEqual(all.map(facts))
  for (const found of again) await run(dropFunction(specOf(found)))
})

const names = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter(
    (name) => !name.includes('\0') && !/\p{Surrogate}/u.test(name) && Buffer.byteLength(name) <= 63,
  )
const bodies = fc
  .string({ unit: 'binary', maxLength: 30 })
  .filter((text) => !text.includes('\0') && !/\p{Surrogate}/u.test(text))

const specs: fc.Arbitrary<FunctionSpec> = fc.record({
  kind: fc.constantFrom('function' as const, 'procedure' as const),
  schema: fc.constant('public'),
  name: names,
  args: fc.uniqueArray(names, { maxLength: 3 }).map((all) =>
    all.map((name, index) => ({
      mode: 'in' as const,
      name,
      type: ['integer', 'text[]', '"odd ""type"'][index] ?? 'text',
      default_value: null,
    })),
  ),
  return_type: fc.constantFrom('integer', 'SETOF text', 'void', '"odd ""type"'),
  language: fc.constant('plpgsql'),
  body: fc.constant('quoted' as const),
  definition: bodies.map((text) => `begin --${text.replaceAll(/[\n\r]/g, '')}\nend`),
  behavior: fc.constantFrom('IMMUTABLE' as const, 'STABLE' as const, 'VOLATILE' as const),
  security_definer: fc.boolean(),
  strict: fc.boolean(),
  leakproof: fc.constant(false),
  parallel: fc.constantFrom('UNSAFE' as const, 'RESTRICTED' as const, 'SAFE' as const),
  cost: fc.constantFrom(100, 1),
  rows: fc.constant(1000),
  config_params: fc.oneof(
    fc.constant({}),
    fc.constant({ work_mem: '8MB' }),
    names.map((search_path) => ({ search_path })),
  ),
  comment: fc.option(names),
})

let runs = 0

test('any function survives create, list, edit, rename and drop', async () => {
  await meta.sql('create type "odd ""type" as (a int)')
  await fc.assert(
    fc.asyncProperty(specs, specs, async (one, two) => {
      runs += 1
      const schema = `run_${runs}`
      await meta.sql(`create schema ${schema}`)
      const [desired, next] = [
        { ...one, schema },
        { ...two, schema },
      ]
      const known = async () => {
        const [found, ...more] = await list(`included_schemas=${schema}&include_procedures=true`)
        expect(more).toEqual([])
        return found
      }
      await run(createFunction(desired))
      const found = await known()
      if (!found) throw new Error('It is not in the list')
      const { args, name, definition, comment, config_params } = desired
      expect(specOf(found)).toMatchObject({ name, definition, comment: comment || null })
      expect(found.args.map((arg) => arg.type)).toEqual(args.map((arg) => arg.type))
      expect(Object.keys(found.config_params ?? {}).toSorted()).toEqual(
        Object.keys(config_params).toSorted(),
      )
      // Saving what is there changes nothing.
      expect(changeFunction(specOf(found), specOf(found))).toBeUndefined()
      const change = changeFunction(specOf(found), next)
      await run(change)
      expect(await known()).toMatchObject({
        name: next.name,
        definition: next.definition,
        comment: next.comment || null,
      })
      if (change?.inverse) await run({ name: 'back', statements: change.inverse })
      const back = await known()
      expect({ ...back, id: 0 }).toEqual({ ...found, id: 0 })
      if (back) await run(dropFunction(specOf(back)))
      expect(await known()).toBeUndefined()
      await meta.sql(`drop schema ${schema}`)
    }),
    { numRuns: 10 },
  )
})

test('aggregates are listed beside procedures, with SQL that makes them again', async () => {
  await meta.sql(`
    create schema sums;
    create function sums.add(numeric, numeric) returns numeric language sql immutable as 'select $1 + coalesce($2, 0)';
    create aggregate sums.total(amount numeric) (sfunc = sums.add, stype = numeric, initcond = '0', combinefunc = sums.add, parallel = safe);
    create function sums.quoted(numeric) returns text language sql immutable as 'select quote_literal($1)';
    create aggregate sums.quoted_total(numeric) (
      sfunc = sums.add, stype = numeric, finalfunc = sums.quoted, initcond = '0'
    )`)
  const found = await list('included_schemas=sums&include_procedures=true')
  expect(found.map(({ name, kind }) => [name, kind])).toEqual([
    ['add', 'function'],
    ['quoted', 'function'],
    ['quoted_total', 'aggregate'],
    ['total', 'aggregate'],
  ])
  expect((await list('included_schemas=sums')).map(({ name }) => name)).toEqual(['add', 'quoted'])
  for (const { name, complete_statement: statement } of found.slice(2)) {
    await meta.sql(`drop aggregate sums.${name}(numeric)`)
    await meta.sql(statement)
  }
  expect(await list('included_schemas=sums&include_procedures=true')).toMatchObject(
    found.map(({ complete_statement }) => ({ complete_statement })),
  )
  expect(await meta.sql('select sums.total(n)::int as total from generate_series(1, 4) n')).toEqual(
    [{ total: 10 }],
  )
})
