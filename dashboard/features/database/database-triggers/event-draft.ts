import { eventTriggerEvents, type EventTrigger } from '#contract/database/database-triggers'
import type { EventTriggerSpec } from '#contract/ddl/event-triggers'
import { nameProblem } from '../../../modules/objects/name-problem.ts'

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
