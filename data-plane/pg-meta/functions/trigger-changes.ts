import type { DatabaseTrigger, NewTrigger } from '#contract/database/database-triggers'
import {
  changeTrigger,
  createTrigger as creation,
  dropTrigger,
  type EnabledMode,
} from '#contract/ddl/triggers'
import { ApiError } from '#kit/errors'
import { executeChange } from '../execute-change.ts'
import { isExpression } from '../parser.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'
import { getTrigger } from './triggers.ts'

const byName = `
  select t.oid as id from pg_trigger t
  join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname = $2 and t.tgname = $3
`

/** Each of these expects a transaction around it. */
export async function createTrigger(db: Queryable, given: NewTrigger): Promise<DatabaseTrigger> {
  const condition = given.condition?.trim() ? given.condition : null
  if (condition !== null && !(await isExpression(condition)))
    throw new ApiError(
      'invalid_input',
      `The condition is not a single SQL expression: ${condition}`,
    )
  const spec = {
    ...given,
    condition,
    columns: [],
    old_table: null,
    new_table: null,
    enabled_mode: 'ORIGIN' as const,
  }
  await executeChange(db, creation(spec))
  const [made] = await rowsOf<{ id: number }>(db, byName, [given.schema, given.table, given.name])
  if (!made) throw new Error('A trigger that was just created is missing')
  return getTrigger(db, made.id)
}

export async function updateTrigger(
  db: Queryable,
  change: { id: number; name?: string | undefined; enabled_mode?: EnabledMode | undefined },
): Promise<DatabaseTrigger> {
  const found = await getTrigger(db, change.id)
  const { name = found.name, enabled_mode: mode = found.enabled_mode } = change
  const made = changeTrigger(found, { ...found, name, enabled_mode: mode })
  if (made) await executeChange(db, made)
  return getTrigger(db, change.id)
}

export async function deleteTrigger(
  db: Queryable,
  { id, cascade }: { id: number; cascade: 'true' | 'false' },
): Promise<DatabaseTrigger> {
  const found = await getTrigger(db, id)
  await executeChange(db, dropTrigger(found, [found.definition], cascade === 'true'))
  return found
}
