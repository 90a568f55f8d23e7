import { qualified } from '#contract/ddl/sql-text'
import type { SqlType } from '#contract/database/pg-meta-shapes'
import type { Option } from '../../ui/controls/options.ts'
import { isProtected } from '../objects/protected-schemas.ts'

/** Column types in the order in which they are offered (facts §10), and what speaks against some of them. */
const baseTypes = [
  ['int2', 'whole number, 2 bytes'],
  ['int4', 'whole number, 4 bytes'],
  ['int8', 'whole number, 8 bytes'],
  ['float4', 'inexact number, 4 bytes'],
  ['float8', 'inexact number, 8 bytes'],
  ['numeric', 'exact number of any size'],
  ['json', 'document as written'],
  ['jsonb', 'document, parsed and indexable'],
  ['text', 'text of any length'],
  ['varchar', 'text of any length'],
  ['uuid', 'unique id'],
  ['date', 'day'],
  ['time', 'time of day'],
  ['timetz', 'time of day with zone'],
  ['timestamp', 'date and time without zone'],
  ['timestamptz', 'date and time, a point in time'],
  ['bool', 'true or false'],
  ['bytea', 'bytes'],
] as const

const advice: Record<string, string> = {
  json: 'jsonb is faster to search and can be indexed; json keeps the text as it was written.',
  varchar: 'text is the same without a limit; a check can limit it where needed.',
  timetz: 'A zone without a date has no daylight saving time. Most tables want timestamptz.',
  timestamp: 'Without a zone it is not a point in time. Most tables want timestamptz.',
  float4: 'Inexact, and with 6 digits only. Use numeric for money.',
  money: 'Its format depends on a server setting. Use numeric.',
}
/** What to use instead of a type, in one sentence; undefined when nothing speaks against it. */
export const adviceOn = (type: string): string | undefined => advice[type]

/** The built-in types, then people's own enums, then whatever else their schemas and extensions offer. */
export function typeOptions(types: readonly SqlType[]): Option[] {
  const own = types
    .filter(({ schema }) => schema === 'extensions' || !isProtected(schema))
    .map((type) => ({ type, sql: qualified(type.schema, type.name) }))
  const enums = own.filter(({ type }) => type.enums.length > 0)
  const others = own.filter(({ type }) => type.enums.length === 0)
  return [
    ...baseTypes.map(([value, detail]) => ({ value: value as string, label: value, detail })),
    ...enums.map(({ type, sql }) => ({
      value: sql,
      label: type.name,
      detail: type.enums.join(', '),
      group: 'Enums',
    })),
    ...others.map(({ type, sql }) => ({
      value: sql,
      label: type.name,
      detail: type.comment ?? type.schema,
      group: 'Other types',
    })),
  ]
}

export const canBeIdentity = (type: string) =>
  ['int2', 'int4', 'int8', 'smallint', 'integer', 'bigint'].includes(type)

type Suggestion = { value: string; what: string }

/** Defaults that columns of a type often have. */
export function suggestedDefaults(type: string, isArray: boolean, enums: readonly string[]) {
  const found: Suggestion[] = []
  const add = (value: string, what: string) => found.push({ value, what })
  if (isArray) add("'{}'", 'Empty list')
  else if (type === 'uuid') add('gen_random_uuid()', 'A new random ID')
  else if (type.startsWith('timestamp')) add('now()', 'The time the row is created')
  else if (type === 'date') add('current_date', 'The date the row is created')
  else if (type.startsWith('time')) add('localtime', 'The time the row is made')
  else if (type === 'bool') {
    add('false', 'No')
    add('true', 'Yes')
  } else if (/^jsonb?$/.test(type)) {
    add("'{}'", 'Empty object')
    add("'[]'", 'Empty list')
  } else if (/^(?:text|varchar)/.test(type)) {
    add("''", 'Empty text')
    add('auth.uid()', 'The ID of the user who adds the row')
  } else if (/^(?:int|float|numeric)/.test(type)) add('0', 'Zero')
  if (!isArray && type === 'uuid') add('auth.uid()', 'The user who adds the row')
  for (const label of enums.slice(0, 10)) add(`'${label.replaceAll("'", "''")}'`, 'Of the enum')
  return found
}
