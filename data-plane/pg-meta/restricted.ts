import { queryPerformance } from '#contract/observability/query-performance'
import { databasePolicies } from '#contract/database/database-policies'
import { databaseTools } from '#contract/database/database-tools'
import { rowLookup } from '#contract/database/rows/row-lookup'
import { sqlQuery } from '#contract/database/sql/sql-query'
import { sqlTools } from '#contract/database/sql/sql-tools'
import { rowBulk } from '#contract/database/rows/row-bulk'
import { tableRows, type RowChange } from '#contract/database/rows/table-rows'
import { tableTransfer } from '#contract/database/table-transfer'
import type { Endpoint } from '#contract/endpoint'
import { restrictionErrors, type Restriction } from '../projects/restriction.ts'
import { ApiError } from '#kit/errors'
import type { SqlError } from '#contract/database/sql/sql-query'

/** Calls that only look, whatever their verb; SQL itself runs as who may only read. */
const looking = new Set<Endpoint>([
  sqlQuery.query,
  sqlQuery.run,
  sqlQuery.runFile,
  sqlQuery.filePiece,
  sqlQuery.cancel,
  sqlTools.check,
  tableRows.list,
  tableRows.count,
  tableRows.value,
  rowLookup.find,
  databaseTools.format,
  databaseTools.parse,
  databaseTools.deparse,
  databasePolicies.check,
  queryPerformance.plan,
  tableTransfer.export,
])

/** Whether a call deletes rows and does nothing else. `input` is what the endpoint's schema has let in. */
export function onlyDeletes(endpoint: Endpoint, input: Record<string, unknown>): boolean {
  if (endpoint === rowBulk.remove) return true
  const { changes } = input
  return (
    endpoint === tableRows.apply &&
    Array.isArray(changes) &&
    // The schema says what a change is.
    (changes as RowChange[]).every(({ kind }) => kind === 'delete')
  )
}

/** @throws ApiError organization_restricted or quota_exceeded for a call that changes something */
export function refuseChange(endpoint: Endpoint, restriction: Restriction): void {
  if (endpoint.method !== 'GET' && !looking.has(endpoint)) {
    throw new ApiError(restrictionErrors[restriction])
  }
}

/** read_only_sql_transaction, insufficient_privilege: how Postgres refuses a change by who may only read. */
const refusals = new Set(['25006', '42501'])

/** Says why, where Postgres can only say that it does not. */
export function withReason<T extends Pick<SqlError, 'code' | 'formattedError' | 'hint'>>(
  error: T,
  restriction: Restriction,
): T {
  if (!refusals.has(error.code)) return error
  const { message: hint } = new ApiError(restrictionErrors[restriction])
  return { ...error, hint, formattedError: `${error.formattedError.trimEnd()}\nHINT:  ${hint}\n` }
}
