import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseTrigger } from '#contract/database/database-triggers'
import type { CustomType } from '#contract/database/database-types'
import { changeTrigger, createTrigger, dropTrigger, type TriggerSpec } from '#contract/ddl/triggers'
import { changeEnum, createType, dropType, type TypeSpec } from '#contract/ddl/types'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`create table books (id int primary key, title text);
    create table films (id int primary key, title text);
    create function touch() returns trigger language plpgsql as 'begin return new; end'`)
})
afterAll(() => meta.close())

const run = async (change: { name: string; statements: string[] } | undefined) => {
  if (!change) return
  const { status, body } = await meta.call('POST', 'changes', change)
  expect(status, JSON.stringify(body)).toBe(200)
}
const triggers = async () =>
  (await meta.call('GET', 'triggers?included_schemas=public')).body as DatabaseTrigger[]
const types = async () =>
  (await meta.call('GET', 'custom-types?included_schemas=public')).body as CustomType[]

const stamp = {
  name: 'stamp',
  table: 'books',
  function_name: 'touch',
  activation: 'BEFORE',
  events: ['INSERT', 'UPDATE'],
  orientation: 'ROW',
}

test('what is not there or makes no sense is refused', async () => {
  expect(await meta.call('GET', 'triggers/4000000000')).toMatchObject({
    status: 404,
    body: { error: 'Cannot find a trigger with ID 4000000000' },
  })
  expect((await meta.call('POST', 'triggers', { ...stamp, events: [] })).status).toBe(400)
  expect(await meta.call('POST', 'triggers', { ...stamp, table: 'nowhere' })).toMatchObject({
    status: 400,
    body: { code: '42P01' },
  })
  const condition = 'true) execute function touch(); drop table films; --'
  expect(await meta.call('POST', 'triggers', { ...stamp, condition })).toMatchObject({
    status: 400,
    body: { code: 'invalid_input' },
  })
  expect(await meta.call('POST', 'triggers', stamp, 'plinth_read_only')).toMatchObject({
    body: { code: '25006' },
  })
  expect(await triggers()).toEqual([])
})

test('a trigger is made, read, changed and removed in the shapes of the public API', async () => {
  const condition = "new.title <> ') EXECUTE FUNCTION'"
  const given = { ...stamp, condition, function_args: ["it's", 'back\\slash', ''] }
  const { status, body } = await meta.call('POST', 'triggers', given)
  expect(status, JSON.stringify(body)).toBe(200)
  const created = body as DatabaseTrigger
  expect(created).toMatchObject({
    name: 'stamp',
    table: 'books',
    schema: 'public',
    enabled_mode: 'ORIGIN',
    function_args: ["it's", 'back\\slash', ''],
    condition: "(new.title <> ') EXECUTE FUNCTION'::text)",
    orientation: 'ROW',
    activation: 'BEFORE',
    events: ['INSERT', 'UPDATE'],
    function_name: 'touch',
    function_schema: 'public',
  })
  const change = { name: 'mark', enabled_mode: 'REPLICA' }
  expect((await meta.call('PATCH', `triggers/${created.id}`, change)).body).toEqual({
    ...created,
    ...change,
    definition: created.definition.replace('TRIGGER stamp', 'TRIGGER mark'),
  })
  expect(await meta.call('DELETE', `triggers/${created.id}`)).toMatchObject({
    status: 200,
    body: { name: 'mark' },
  })
  expect((await meta.call('GET', `triggers/${created.id}`)).status).toBe(404)
})

test('a constraint trigger waits for the end of the transaction, is changed and comes back', async () => {
  await meta.sql(`create function refuse() returns trigger language plpgsql as $$ begin
    if exists (select from books where title is null) then raise exception 'no title'; end if; return null; end $$`)
  const spec: TriggerSpec = {
    ...stamp,
    schema: 'public',
    activation: 'AFTER',
    events: ['INSERT', 'UPDATE'],
    orientation: 'ROW',
    columns: [],
    condition: null,
    old_table: null,
    new_table: null,
    function_schema: 'public',
    function_name: 'refuse',
    function_args: [],
    enabled_mode: 'ORIGIN',
    constraint: {
      deferrable: true,
      initially_deferred: true,
      from: { schema: 'public', table: 'films' },
    },
  }
  await run(createTrigger(spec))
  const late = "insert into books values (1, null); update books set title = 'x' where id = 1"
  await meta.sql(`begin; ${late}; commit; delete from books`)
  const [found] = await triggers()
  if (!found) throw new Error('It is not in the list')
  expect(found).toMatchObject(spec)
  expect(changeTrigger(found, { ...found })).toBeUndefined()
  const constraint = {
    ...spec.constraint,
    deferrable: false,
    initially_deferred: false,
    from: null,
  }
  const change = changeTrigger(found, { ...found, name: 'at once', constraint })
  await run(change)
  expect(await triggers()).toMatchObject([{ name: 'at once', constraint }])
  await expect(meta.sql(`begin; ${late}; commit`)).rejects.toThrow('no title')
  await run({ name: 'back', statements: change?.inverse ?? [] })
  expect(await triggers()).toMatchObject([spec])
  const drop = dropTrigger(found)
  await run(drop)
  await run({ name: 'again', statements: drop.inverse ?? [] })
  expect(await triggers()).toMatchObject([spec])
  await run(drop)
})

test('the event triggers are listed, and whether more can be made', async () => {
  const { status, body } = await meta.call('GET', 'event-triggers')
  expect(status).toBe(200)
  expect(body).toMatchObject({ can_create: false, event_triggers: expect.any(Array) })
})

const names = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter(
    (name) => !name.includes('\0') && !/\p{Surrogate}/u.test(name) && Buffer.byteLength(name) <= 63,
  )
const rowTriggers: fc.Arbitrary<TriggerSpec> = fc.record({
  name: names,
  schema: fc.constant('public'),
  table: fc.constantFrom('books', 'films'),
  activation: fc.constantFrom('BEFORE' as const, 'AFTER' as const),
  events: fc.subarray(['INSERT' as const, 'UPDATE' as const, 'DELETE' as const], { minLength: 1 }),
  columns: fc.constantFrom([], ['title'], ['id', 'title']),
  orientation: fc.constant('ROW' as const),
  condition: fc.constantFrom(
    null,
    "current_user <> ') ''\"( WHEN ('",
    'random() < 0.5 -- ) really',
  ),
  old_table: fc.constant(null),
  new_table: fc.constant(null),
  function_schema: fc.constant('public'),
  function_name: fc.constant('touch'),
  function_args: fc.array(names, { maxLength: 2 }),
  enabled_mode: fc.constantFrom(
    'ORIGIN' as const,
    'REPLICA' as const,
    'ALWAYS' as const,
    'DISABLED' as const,
  ),
})
/** Columns count only for UPDATE. */
const sane = (spec: TriggerSpec): TriggerSpec => ({
  ...spec,
  columns: spec.events.includes('UPDATE') ? spec.columns : [],
})

test('any trigger survives create, list, edit, rename and drop', async () => {
  await fc.assert(
    fc.asyncProperty(rowTriggers.map(sane), rowTriggers.map(sane), async (desired, next) => {
      await run(createTrigger(desired))
      const [found, ...more] = await triggers()
      if (!found) throw new Error('It is not in the list')
      expect(more).toEqual([])
      const { condition: _, ...described } = desired
      expect(found).toMatchObject(described)
      expect(found.condition === null).toBe(desired.condition === null)
      expect(changeTrigger(found, { ...found })).toBeUndefined()
      const change = changeTrigger(found, next)
      await run(change)
      const { condition: __, ...desiredNext } = next
      expect(await triggers()).toMatchObject([desiredNext])
      if (change?.inverse) await run({ name: 'back', statements: change.inverse })
      const [back] = await triggers()
      expect({ ...back, id: 0 }).toEqual({ ...found, id: 0 })
      if (back) await run(dropTrigger(back))
      expect(await triggers()).toEqual([])
    }),
    { numRuns: 10 },
  )
})

test('types are listed with their parts and who uses them', async () => {
  await meta.sql(`create type mood as enum ('sad', 'happy'); comment on type mood is 'How it is';
    create type place as (street text, "Post code" varchar(10)[]);
    create domain positive as numeric(10, 2) default 1 not null check (value > 0);
    create type days as range (subtype = date);
    alter table books add column mood mood, add column moods mood[]`)
  expect(await types()).toMatchObject([
    { name: 'days', kind: 'range', base_type: 'date' },
    {
      name: 'mood',
      kind: 'enum',
      values: ['sad', 'happy'],
      comment: 'How it is',
      used_by: [
        { schema: 'public', table: 'books', column: 'mood' },
        { schema: 'public', table: 'books', column: 'moods' },
      ],
    },
    {
      name: 'place',
      kind: 'composite',
      attributes: [
        { name: 'street', type: 'text' },
        { name: 'Post code', type: 'character varying(10)[]' },
      ],
      used_by: [],
    },
    {
      name: 'positive',
      kind: 'domain',
      base_type: 'numeric(10,2)',
      not_null: true,
      default_value: '1',
      checks: [{ name: 'positive_check', definition: 'CHECK ((VALUE > (0)::numeric))' }],
    },
  ])
  for (const type of (await types()).filter(({ used_by }) => used_by.length === 0)) {
    await run(dropType(type))
    await run(createType(type))
  }
  expect((await types()).map(({ name }) => name)).toEqual(['days', 'mood', 'place', 'positive'])
  await meta.sql('drop type mood cascade; drop type place; drop domain positive; drop type days')
})

test('any enum survives create, new values, new names and drop', async () => {
  const enums = fc.record({
    name: names,
    renamed: names,
    values: fc.uniqueArray(names, { minLength: 1, maxLength: 3 }),
    /** One more than there are: the first is new, then come those that are kept. */
    others: fc.uniqueArray(names, { minLength: 4, maxLength: 6 }),
  })
  await fc.assert(
    fc.asyncProperty(enums, async ({ name, renamed, values, others }) => {
      const spec: TypeSpec = {
        schema: 'public',
        name,
        kind: 'enum',
        values,
        attributes: [],
        base_type: null,
        not_null: false,
        default_value: null,
        checks: [],
        comment: name,
      }
      await run(createType(spec))
      const [found] = await types()
      expect(found).toMatchObject({ name, values, comment: name })
      const desired = others.map((value, index) => {
        const was = values[index - 1]
        return was === undefined ? { value } : { was, value }
      })
      await run(changeEnum(spec, { name: renamed, comment: null, values: desired }))
      const [changed] = await types()
      expect(changed).toMatchObject({ name: renamed, values: others, comment: null })
      if (changed) await run(dropType(changed))
      expect(await types()).toEqual([])
    }),
    { numRuns: 10 },
  )
})
