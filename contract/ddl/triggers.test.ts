import fc from 'fast-check'
import { parse } from 'libpg-query'
import { expect, test } from 'vitest'
import { changeEventTrigger, createEventTrigger, dropEventTrigger } from './event-triggers.ts'
import { changeTrigger, createTrigger, dropTrigger, type TriggerSpec } from './triggers.ts'

const base: TriggerSpec = {
  name: 'stamp',
  schema: 'public',
  table: 'books',
  activation: 'BEFORE',
  events: ['INSERT', 'UPDATE'],
  columns: ['title', 'Pages'],
  orientation: 'ROW',
  condition: 'new.title is not null',
  old_table: null,
  new_table: null,
  function_schema: 'public',
  function_name: 'touch',
  function_args: ["it's"],
  enabled_mode: 'ALWAYS',
}

test('a trigger reads as people write one', () => {
  expect(createTrigger(base)).toEqual({
    name: 'create_trigger_stamp',
    statements: [
      `create trigger stamp
before insert or update of title, "Pages" on public.books
for each row
when (new.title is not null)
execute function public.touch('it''s')`,
      'alter table public.books enable always trigger stamp',
    ],
    inverse: ['drop trigger stamp on public.books'],
  })
})

test('a trigger changes in place, and keeps how it is enabled', () => {
  expect(changeTrigger(base, { ...base, name: 'mark', enabled_mode: 'DISABLED' })).toEqual({
    name: 'change_trigger_stamp',
    statements: [
      'alter trigger stamp on public.books rename to mark',
      'alter table public.books disable trigger mark',
    ],
    inverse: [
      'alter trigger mark on public.books rename to stamp',
      'alter table public.books enable always trigger stamp',
    ],
  })
  const replaced = changeTrigger(base, { ...base, condition: null })
  expect(replaced?.statements).toHaveLength(2)
  expect(replaced?.statements[0]).toMatch(/^create or replace trigger/)
  expect(replaced?.statements[1]).toBe('alter table public.books enable always trigger stamp')
  expect(changeTrigger(base, { ...base })).toBeUndefined()
  expect(changeTrigger(base, { ...base, table: 'films' })?.statements[0]).toBe(
    'drop trigger stamp on public.books',
  )
})

test('a constraint trigger says when it is checked, and is made anew to change', () => {
  const constraint = { deferrable: true, initially_deferred: true, from: null }
  const one: TriggerSpec = { ...base, activation: 'AFTER', enabled_mode: 'ORIGIN', constraint }
  expect(createTrigger(one).statements).toEqual([
    `create constraint trigger stamp
after insert or update of title, "Pages" on public.books
deferrable initially deferred
for each row
when (new.title is not null)
execute function public.touch('it''s')`,
  ])
  const changed = changeTrigger(one, { ...one, name: 'mark', condition: null })
  expect(changed?.statements.map((sql) => sql.split('\n')[0])).toEqual([
    'drop trigger stamp on public.books',
    'create constraint trigger mark',
  ])
  expect(changeTrigger(one, { ...one, enabled_mode: 'ALWAYS' })?.statements).toHaveLength(1)
  expect(changeTrigger(one, { ...one, constraint: null })?.statements[0]).toMatch(/^drop/)
})

const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .filter((value) => !value.includes('\0') && !/\p{Surrogate}/u.test(value))
const name = text.filter((value) => value.length > 0)
const mode = fc.constantFrom(
  'ORIGIN' as const,
  'REPLICA' as const,
  'ALWAYS' as const,
  'DISABLED' as const,
)
const anySpec: fc.Arbitrary<TriggerSpec> = fc.record({
  name,
  schema: name,
  table: name,
  activation: fc.constantFrom('BEFORE' as const, 'AFTER' as const, 'INSTEAD OF' as const),
  events: fc.subarray(
    ['INSERT' as const, 'UPDATE' as const, 'DELETE' as const, 'TRUNCATE' as const],
    { minLength: 1 },
  ),
  columns: fc.array(name, { maxLength: 3 }),
  orientation: fc.constantFrom('ROW' as const, 'STATEMENT' as const),
  condition: fc.constantFrom(null, 'true -- ) execute', "old.a <> ')'"),
  old_table: fc.option(name),
  new_table: fc.option(name),
  function_schema: name,
  function_name: name,
  function_args: fc.array(text, { maxLength: 3 }),
  enabled_mode: mode,
  constraint: fc.option(
    fc.record({
      deferrable: fc.boolean(),
      initially_deferred: fc.boolean(),
      from: fc.option(fc.record({ schema: name, table: name })),
    }),
  ),
})
/** A constraint fires after, for each row, and sees no tables of what has changed. */
const spec = anySpec.map((one): TriggerSpec =>
  one.constraint
    ? { ...one, activation: 'AFTER', orientation: 'ROW', old_table: null, new_table: null }
    : one,
)
const eventTrigger = fc.record({
  name,
  event: fc.constantFrom('ddl_command_end', 'login'),
  tags: fc.array(text, { maxLength: 2 }),
  function_schema: name,
  function_name: name,
  enabled_mode: mode,
})

test('whatever they are called, every statement is one statement', async () => {
  await fc.assert(
    fc.asyncProperty(spec, spec, eventTrigger, eventTrigger, async (a, b, c, d) => {
      const [create] = createTrigger(a).statements
      const node = (await parse(create ?? '')).stmts?.[0]?.stmt
      expect(node && 'CreateTrigStmt' in node && node.CreateTrigStmt.trigname).toBe(a.name)
      const statements = [
        ...createTrigger(a).statements,
        ...(changeTrigger(a, { ...b, schema: a.schema, table: a.table })?.statements ?? []),
        ...(changeTrigger(a, b)?.inverse ?? []),
        ...dropTrigger(a).statements,
        ...createEventTrigger(c).statements,
        ...(changeEventTrigger(c, d)?.statements ?? []),
        ...(changeEventTrigger(c, { ...c, name: d.name, enabled_mode: d.enabled_mode })
          ?.statements ?? []),
        ...dropEventTrigger(c).statements,
      ]
      for (const sql of statements) expect((await parse(sql)).stmts, sql).toHaveLength(1)
    }),
    { numRuns: 1000 },
  )
}, 60_000)
