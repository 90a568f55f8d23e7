import type { PoolClient } from 'pg'
import type { As } from '#contract/data-api/impersonation'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RlsCommand, RlsResult } from '#contract/database/rls-test'
import type { NewCell } from '#contract/database/rows/table-rows'
import { ApiError } from '#kit/errors'
import type { Who } from '../connections.ts'
import { readingAs, takeRole } from './impersonation.ts'
import { missingPrivileges, rlsFacts, type RlsColumn } from './rls-facts.ts'
import { inSavepoint, judge } from './rls-judge.ts'
import { changedRows, findRows, insertedRow } from './rls-rows.ts'
import { columnOf } from '../rows/row-sql.ts'

type Input = {
  as: As
  command: RlsCommand
  values: Record<string, NewCell>
  only_seen: boolean
  limit: number
  cursor?: string | undefined
}

/** Milliseconds for one expression over one page of rows. */
const timeoutSql = "set local statement_timeout = '5s'"

/** See contract/database/rls-test.ts. The session is one that is cleaned afterwards: policies call what they like. */
export async function testRls(
  db: PoolClient,
  entity: EntityDetail,
  input: Input,
  who: Who,
): Promise<RlsResult> {
  if (entity.kind !== 'table' && entity.kind !== 'partitioned_table')
    throw new ApiError('invalid_input', 'Only tables have row level security')
  const given = Object.keys(input.values)
  for (const name of given) columnOf(entity, name)
  // As the database's owner first: what there is, and all rows.
  return readingAs(db, who, undefined, async () => {
    await db.query(timeoutSql)
    const facts = await rlsFacts(db, entity.id, input.as.role, input.command)
    if (!facts) throw new ApiError('invalid_input', `There is no role "${input.as.role}"`)
    const missing = missingPrivileges(facts, entity, input.command, given)
    const { command } = input
    const inserts = command === 'INSERT'
    // What it may not read column by column the role cannot list itself.
    const seen = input.only_seen && facts.usage && facts.columns.every(({ may }) => may.select)
    const all = inserts || seen ? undefined : await findRows(db, entity, input.limit, input.cursor)
    await takeRole(db, input.as, 'transaction')
    const base = {
      inactive: facts.inactive,
      missing,
      columns: entity.columns.map(({ name }) => name),
      unknown_columns: [],
      triggers: facts.triggers,
    }
    const policies = (failed: ReadonlyMap<number, string>) =>
      facts.policies.map((policy) => ({ ...policy, error: failed.get(policy.id) ?? null }))
    // A role that may not even name the table cannot be asked anything about its rows.
    if (!facts.usage) return { ...base, policies: policies(new Map()), rows: [], next: null }
    if (inserts) {
      const { columns, unknown } = await knowableDefaults(db, facts.columns, input.values)
      const after = await insertedRow(db, entity, columns, input.values)
      const { rows, failed } = await judge(db, entity, facts, {
        command,
        before: [],
        after,
        missing,
      })
      return { ...base, unknown_columns: unknown, policies: policies(failed), rows, next: null }
    }
    const page = all ?? (await findRows(db, entity, input.limit, input.cursor))
    const tried = page.rows.flatMap(({ text }) => (text === null ? [] : [text]))
    const after =
      command === 'UPDATE' ? await changedRows(db, entity, facts.columns, input.values, tried) : []
    const { rows, failed } = await judge(db, entity, facts, {
      command,
      before: page.rows,
      after,
      missing,
    })
    return { ...base, policies: policies(failed), rows, next: page.next }
  })
}

/** Each default on its own: one that would change something (a sequence) or fails must not take the others along. */
async function knowableDefaults(
  db: PoolClient,
  columns: readonly RlsColumn[],
  values: Readonly<Record<string, NewCell>>,
): Promise<{ columns: RlsColumn[]; unknown: string[] }> {
  const unknown: string[] = []
  const known: RlsColumn[] = []
  for (const column of columns) {
    const given = Object.hasOwn(values, column.name) ? values[column.name] : undefined
    const isGiven = given === null || typeof given === 'string'
    const asks = !isGiven && !column.generated && (column.default !== null || column.identity)
    const answer =
      asks && column.default !== null
        ? await inSavepoint(db, `select (\n${column.default}\n)::text`, [])
        : undefined
    const isUnknown = asks && (column.identity || !answer || 'failed' in answer)
    if (isUnknown) unknown.push(column.name)
    known.push(isUnknown ? { ...column, default: null } : column)
  }
  return { columns: known, unknown }
}
