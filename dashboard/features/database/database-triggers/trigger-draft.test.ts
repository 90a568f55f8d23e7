import { expect, test } from 'vitest'
import {
  constraintKindOf,
  constraintKinds,
  constraintOf,
  draftArg,
  eventSpecOf,
  newEventTrigger,
  newTrigger,
  problemsOf,
  specOf,
} from './trigger-draft.ts'

const draft = { ...newTrigger('public'), name: 'stamp', table: 'books', function_name: 'touch' }

test('what a form holds becomes what Postgres takes', () => {
  expect(
    specOf({
      ...draft,
      events: ['UPDATE', 'INSERT'],
      columns: ['title'],
      condition: ' ',
      args: [draftArg(''), draftArg('a')],
    }),
  ).toMatchObject({
    events: ['INSERT', 'UPDATE'],
    columns: ['title'],
    condition: null,
    function_args: ['', 'a'],
  })
  expect(specOf({ ...draft, columns: ['title'] }).columns).toEqual([])
  expect(eventSpecOf({ ...newEventTrigger(), tags: ' create table, ,drop table' }).tags).toEqual([
    'CREATE TABLE',
    'DROP TABLE',
  ])
})

test('what Postgres would refuse is said at its field', () => {
  expect(problemsOf(draft)).toEqual({})
  expect(problemsOf(newTrigger('public'))).toMatchObject({
    name: 'Give it a name',
    table: 'Choose a table',
    function: 'Choose a function that returns trigger',
  })
  expect(problemsOf({ ...draft, events: [] })).toEqual({ events: 'Choose at least one event' })
  expect(problemsOf({ ...draft, events: ['TRUNCATE'] })).toHaveProperty('orientation')
  expect(
    problemsOf({ ...draft, orientation: 'STATEMENT', activation: 'INSTEAD OF' }),
  ).toHaveProperty('orientation')
  const constraint = constraintOf('deferred', null)
  expect(problemsOf({ ...draft, constraint })).toHaveProperty('constraint')
  expect(problemsOf({ ...draft, constraint, activation: 'AFTER' })).toEqual({})
})

test('what kind of constraint it is survives the form, and so does its second table', () => {
  const from = { schema: 'public', table: 'films' }
  for (const { value } of constraintKinds) {
    const made = constraintOf(value, { deferrable: true, initially_deferred: true, from })
    expect(constraintKindOf(made)).toBe(value)
    expect(made?.from ?? from).toEqual(from)
  }
})
