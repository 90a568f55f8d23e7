import {
  eventTriggerEvents,
  triggerEvents,
  type DatabaseTrigger,
  type EventTrigger,
} from '#contract/database/database-triggers'
import type { EventTriggerSpec } from '#contract/ddl/event-triggers'
import type { TriggerConstraint, TriggerSpec } from '#contract/ddl/triggers'
import { nameProblem } from '../../../modules/objects/name-problem.ts'

/** A trigger as the panel's form holds it. */
export type TriggerDraft = Omit<TriggerSpec, 'condition' | 'function_args' | 'constraint'> & {
  constraint: TriggerConstraint | null
  condition: string
  args: { id: string; value: string }[]
}

let count = 0
export const draftArg = (value = '') => ({ id: `arg-${(count += 1)}`, value })

export const newTrigger = (schema: string): TriggerDraft => ({
  name: '',
  schema,
  table: '',
  activation: 'BEFORE',
  events: ['INSERT'],
  columns: [],
  orientation: 'ROW',
  condition: '',
  old_table: null,
  new_table: null,
  function_schema: '',
  function_name: '',
  args: [],
  enabled_mode: 'ORIGIN',
  constraint: null,
})

export const draftOf = ({ condition, function_args, ...rest }: DatabaseTrigger): TriggerDraft => ({
  ...rest,
  condition: condition ?? '',
  args: function_args.map(draftArg),
})

/** What the form does not show is left out where it means nothing: columns without UPDATE. */
export const specOf = ({ condition, args, ...rest }: TriggerDraft): TriggerSpec => ({
  ...rest,
  events: triggerEvents.filter((event) => rest.events.includes(event)),
  columns: rest.events.includes('UPDATE') ? rest.columns : [],
  condition: condition.trim() === '' ? null : condition.trim(),
  function_args: args.map(({ value }) => value),
})

export type Problems = Partial<
  Record<'name' | 'table' | 'events' | 'function' | 'orientation' | 'constraint', string>
>

/** What Postgres would refuse, said at the field that can mend it. */
export function problemsOf(draft: TriggerDraft): Problems {
  const problems: Problems = {}
  const name = nameProblem(draft.name)
  if (name) problems.name = name
  if (draft.table === '') problems.table = 'Choose a table'
  if (draft.function_name === '') problems.function = 'Choose a function that returns trigger'
  if (draft.events.length === 0) problems.events = 'Choose at least one event'
  if (draft.orientation === 'ROW' && draft.events.includes('TRUNCATE'))
    problems.orientation = 'TRUNCATE has no rows: it fires once for each statement'
  if (draft.orientation === 'STATEMENT' && draft.activation === 'INSTEAD OF')
    problems.orientation = 'INSTEAD OF fires for each row'
  if (draft.constraint && (draft.activation !== 'AFTER' || draft.orientation !== 'ROW'))
    problems.constraint = 'A constraint trigger fires after, and for each row'
  return problems
}

export type ConstraintKind = 'none' | 'immediate' | 'deferrable' | 'deferred'

export const constraintKinds = [
  { value: 'none', label: 'No constraint', detail: 'an ordinary trigger' },
  { value: 'immediate', label: 'Constraint', detail: 'checked with each statement' },
  { value: 'deferrable', label: 'Deferrable', detail: 'with each statement, unless deferred' },
  { value: 'deferred', label: 'Deferred', detail: 'at the end of the transaction' },
] as const

export function constraintKindOf(constraint: TriggerConstraint | null): ConstraintKind {
  if (!constraint) return 'none'
  if (constraint.initially_deferred) return 'deferred'
  return constraint.deferrable ? 'deferrable' : 'immediate'
}

/** The second table of one that is about two is kept. */
export const constraintOf = (
  kind: ConstraintKind,
  before: TriggerConstraint | null,
): TriggerConstraint | null =>
  kind === 'none'
    ? null
    : {
        deferrable: kind !== 'immediate',
        initially_deferred: kind === 'deferred',
        from: before?.from ?? null,
      }

/** `BEFORE INSERT OR UPDATE OF title`, in one line. */
export function momentOf(trigger: DatabaseTrigger): string {
  const events = trigger.events.map((event) =>
    event === 'UPDATE' && trigger.columns.length > 0
      ? `UPDATE OF ${trigger.columns.join(', ')}`
      : event,
  )
  return `${trigger.activation} ${events.join(' OR ')}`
}

/** An event trigger as its form holds it. */
export type EventDraft = Omit<EventTriggerSpec, 'tags'> & {
  /** Command tags, separated by commas as people type them. */
  tags: string
}

export const newEventTrigger = (): EventDraft => ({
  name: '',
  event: 'ddl_command_end',
  tags: '',
  function_schema: '',
  function_name: '',
  enabled_mode: 'ORIGIN',
})

export const eventDraftOf = ({ tags, ...rest }: EventTrigger): EventDraft => ({
  ...rest,
  tags: tags.join(', '),
})

export const eventSpecOf = ({ tags, ...rest }: EventDraft): EventTriggerSpec => ({
  ...rest,
  tags: tags
    .split(',')
    .map((tag) => tag.trim().toUpperCase())
    .filter(Boolean),
})

export type EventProblems = Partial<Record<'name' | 'function', string>>

export function eventProblemsOf({ name, function_name }: EventDraft): EventProblems {
  const wrong = nameProblem(name)
  return {
    ...(wrong ? { name: wrong } : {}),
    ...(function_name === '' ? { function: 'Choose a function that returns event_trigger' } : {}),
  }
}

const meanings: Record<EventTrigger['event'], string> = {
  ddl_command_start: 'before a command changes the structure',
  ddl_command_end: 'after a command has changed it',
  table_rewrite: 'before a table is rewritten',
  sql_drop: 'after objects were dropped',
  login: 'when a session begins',
}

export const eventOptions = eventTriggerEvents.map((value) => ({
  value: value as string,
  label: value,
  detail: meanings[value],
}))
