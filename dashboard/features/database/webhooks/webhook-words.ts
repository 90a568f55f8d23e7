import type { DatabaseTrigger } from '#contract/database/database-triggers'
import { functionAt } from './function-address.ts'

/** `INSERT, UPDATE OF title` */
export const eventsOf = ({ events, columns }: DatabaseTrigger): string =>
  events
    .map((event) =>
      event === 'UPDATE' && columns.length > 0 ? `UPDATE OF ${columns.join(', ')}` : event,
    )
    .join(', ')

export const urlOf = ({ function_args }: DatabaseTrigger) => function_args[0] ?? ''

export const kindOf = (webhook: DatabaseTrigger, endpoint: string) =>
  functionAt(urlOf(webhook), endpoint) === undefined ? 'HTTP request' : 'Edge function'
