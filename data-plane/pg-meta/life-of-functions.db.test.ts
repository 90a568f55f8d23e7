import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseFunction } from '#contract/database/database-functions'
import type { DatabaseTrigger } from '#contract/database/database-triggers'
import type { CustomType } from '#contract/database/database-types'
import { changeFunction, createFunction, dropFunction } from '#contract/ddl/functions'
import { qualified } from '#contract/ddl/sql-text'
import { anyText, hostileName } from '#contract/testing/tables'
import { changeTrigger, createTrigger, dropTrigger } from '#contract/ddl/triggers'
import { changeEnum, createType, dropType } from '#contract/ddl/types'
import { listCustomTypes } from './functions/custom-types.ts'
import { specOf } from './functions/function-changes.ts'
import { listFunctions } from './functions/functions.ts'
import { listTriggers } from './functions/triggers.ts'
import { live, within } from '../testing/pg-meta/life.ts'
import { startMeta, type Meta } from '../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

const two = fc.uniqueArray(hostileName, { minLength: 2, maxLength: 2 })

test('functions', async () => {
  const type = fc.constantFrom('integer', 'text[]', 'timestamp with time zone', 'point')
  const spec = fc.record({
    names: two,
    args: fc.uniqueArray(hostileName, { maxLength: 3 }),
    types: fc.tuple(type, type, type),
    optional: fc.boolean(),
    bodies: fc.tuple(anyText, anyText),
    behavior: fc.constantFrom('IMMUTABLE' as const, 'STABLE' as const, 'VOLATILE' as const),
    language: fc.constantFrom('plpgsql', 'sql'),
    returns: fc.constantFrom('integer', 'SETOF text', 'void'),
    strict: fc.boolean(),
    settings: fc.constantFrom(
      {},
      { search_path: '' },
      { search_path: '"a b", public', work_mem: '7MB' },
    ),
    comment: fc.option(anyText.filter((one) => one !== '')),
    anew: fc.boolean(),
  })
  await live(meta, {
    spec,
    async list(db, places) {
      const all = { include_procedures: 'true', exclude_extensions: 'false' } as const
      const found = await listFunctions(db, { ...within(places), ...all })
      return new Map(found.map((one): [string, DatabaseFunction] => [one.schema, one]))
    },
    create: ({ names: [name = ''], args, types, optional, bodies, settings, ...rest }, place) =>
      createFunction({
        kind: 'function',
        schema: place,
        name,
        args: args.map((arg, at) => ({
          mode: 'in',
          name: arg,
          type: types[at] ?? 'text',
          default_value: optional ? 'null' : null,
        })),
        return_type: rest.returns,
        language: rest.language,
        body: 'quoted',
        definition: bodies[0],
        behavior: rest.behavior,
        security_definer: rest.anew,
        strict: rest.strict,
        leakproof: false,
        parallel: 'SAFE',
        cost: 7,
        rows: 1000,
        config_params: settings,
        comment: rest.comment,
      }),
    created(found, { names: [name], args, types, optional, bodies, settings, ...rest }) {
      expect(found).toMatchObject({
        name,
        definition: bodies[0],
        behavior: rest.behavior,
        strict: rest.strict,
        security_definer: rest.anew,
        comment: rest.comment,
      })
      expect(found.args.map((arg) => [arg.name, arg.type, arg.has_default])).toEqual(
        args.map((arg, at) => [arg, types[at], optional]),
      )
      expect(Object.keys(found.config_params ?? {}).toSorted()).toEqual(
        Object.keys(settings).toSorted(),
      )
    },
    edit(found, { names: [, name = ''], bodies, anew }) {
      const before = specOf(found)
      const more = { mode: 'in', name: '', type: 'date', default_value: 'now()' } as const
      const args = anew ? [...before.args, more] : before.args
      return changeFunction(before, {
        ...before,
        name,
        args: args.map((arg) => (anew ? { ...arg, name: '' } : arg)),
        definition: bodies[1],
        comment: 'changed',
      })
    },
    edited: (found, { names: [, name], bodies }) =>
      expect(found).toMatchObject({ name, definition: bodies[1], comment: 'changed' }),
    drop: (found) => dropFunction(specOf(found)),
    // The order of its settings means nothing.
    same: (found) => ({ ...found, id: undefined, complete_statement: undefined }),
  })
})

test('triggers', async () => {
  const spec = fc.record({
    names: two,
    table: hostileName,
    call: hostileName,
    args: fc.array(anyText, { maxLength: 2 }),
    activation: fc.constantFrom('BEFORE' as const, 'AFTER' as const),
    events: fc.subarray(['INSERT', 'DELETE', 'UPDATE'] as const, { minLength: 1 }),
    orientation: fc.constantFrom('ROW' as const, 'STATEMENT' as const),
    mode: fc.constantFrom('ORIGIN', 'REPLICA', 'ALWAYS', 'DISABLED'),
    conditional: fc.boolean(),
  })
  await live(meta, {
    spec,
    before: ({ table, call }, place) =>
      `create table ${qualified(place, table)} ("a b" int); create function ${qualified(place, call)}() returns trigger
       language plpgsql as 'begin return new; end'`,
    list: async (db, places) =>
      new Map(
        (await listTriggers(db, within(places))).map((one): [string, DatabaseTrigger] => [
          one.schema,
          one,
        ]),
      ),
    create: ({ names: [name = ''], table, call, args, mode, conditional, ...rest }, place) =>
      createTrigger({
        ...rest,
        name,
        schema: place,
        table,
        columns: rest.events.includes('UPDATE') ? ['a b'] : [],
        condition: conditional ? "current_user <> 'it''s ( \"' -- !" : null,
        old_table: null,
        new_table: null,
        function_schema: place,
        function_name: call,
        function_args: args,
        enabled_mode: mode,
      }),
    created(found, { names: [name], table, call, args, events, orientation, mode, conditional }) {
      expect(found).toMatchObject({ name, table, orientation, function_name: call })
      expect(found).toMatchObject({ function_args: args, enabled_mode: mode })
      expect(found.events.toSorted()).toEqual(events.toSorted())
      expect(found.condition !== null).toBe(conditional)
    },
    edit: (found, { names: [, name = ''], args, mode }) =>
      changeTrigger(found, {
        ...found,
        name,
        function_args: [...args, 'more'],
        enabled_mode: mode === 'ORIGIN' ? 'ALWAYS' : 'ORIGIN',
      }),
    edited: (found, { names: [, name], args, mode }) =>
      expect(found).toMatchObject({
        name,
        function_args: [...args, 'more'],
        enabled_mode: mode === 'ORIGIN' ? 'ALWAYS' : 'ORIGIN',
      }),
    drop: (found) => dropTrigger(found),
  })
})

test('types', async () => {
  const label = hostileName
  const base = fc.constantFrom('integer', 'text', 'numeric', 'timestamp with time zone')
  const spec = fc.record({
    names: two,
    kind: fc.constantFrom(
      'enum' as const,
      'composite' as const,
      'domain' as const,
      'range' as const,
    ),
    values: fc.uniqueArray(label, { minLength: 1, maxLength: 4 }),
    others: fc.uniqueArray(label, { minLength: 4, maxLength: 5 }),
    base,
    not_null: fc.boolean(),
    comment: fc.option(anyText.filter((one) => one !== '')),
    adding: fc.boolean(),
  })
  await live(meta, {
    spec,
    list: async (db, places) =>
      new Map(
        (await listCustomTypes(db, within(places))).map((one): [string, CustomType] => [
          one.schema,
          one,
        ]),
      ),
    create: ({ names: [name = ''], kind, values, base: of, not_null, comment }, place) =>
      createType({
        schema: place,
        name,
        kind,
        values: kind === 'enum' ? values : [],
        attributes:
          kind === 'composite' ? values.map((one) => ({ name: one, type: `${of}[]` })) : [],
        base_type: kind === 'domain' || kind === 'range' ? of : null,
        not_null: kind === 'domain' && not_null,
        default_value: null,
        checks:
          kind === 'domain'
            ? values.map((one) => ({ name: one, definition: 'check (value is not null)' }))
            : [],
        comment,
      }),
    created(found, { names: [name], kind, values, base: of, not_null, comment }) {
      expect(found).toMatchObject({ name, kind, comment })
      if (kind === 'enum') expect(found.values).toEqual(values)
      if (kind === 'composite') expect(found.attributes.map((one) => one.name)).toEqual(values)
      if (kind === 'domain') {
        expect(found).toMatchObject({ base_type: of, not_null })
        expect(found.checks.map((one) => one.name).toSorted()).toEqual(values.toSorted())
      }
    },
    edit(found, { names: [, name = ''], kind, others, adding }) {
      if (kind !== 'enum') return undefined
      const renamed = found.values.map((was, at) => ({ was, value: others[at] ?? was }))
      const added = adding ? [{ value: 'one more, added' }] : []
      return changeEnum(found, { name, comment: 'changed', values: [...added, ...renamed] })
    },
    edited: (found, { names: [, name], values, others, adding }) =>
      expect(found).toMatchObject({
        name,
        comment: 'changed',
        values: [...(adding ? ['one more, added'] : []), ...others.slice(0, values.length)],
      }),
    drop: (found) => dropType(found),
  })
})
