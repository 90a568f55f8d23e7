import { DatabaseError, type PoolClient } from 'pg'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RlsCommand, RlsRow, RlsStep } from '#contract/database/rls-test'
import { quoteIdent } from '#contract/ddl/sql-text'
import type { RlsFacts } from './rls-facts.ts'
import { arrayOf, cellsOf, type FoundRow } from './rls-rows.ts'
import {
  asked,
  combined,
  isOfNewRow,
  outcomeOf,
  partsOf,
  type Answer,
  type RlsPolicy,
} from './rls-verdict.ts'
import { tableSql } from '../rows/row-sql.ts'
import { asText } from '../rows/text-rows.ts'

type Case = {
  command: RlsCommand
  /** The rows that are there; none for INSERT. */
  before: readonly FoundRow[]
  /** The rows as they would be, for those of `before` that have a text. */
  after: readonly string[]
  missing: readonly string[]
}
type Asked = { policy: RlsPolicy; found: (boolean | null)[] | Failed }
type PartAsked = { part: RlsStep['part']; answers: Asked[] }

/** Asks every policy about every row as the role of the session, and puts the answers together as Postgres does. */
export async function judge(
  db: PoolClient,
  entity: EntityDetail,
  facts: RlsFacts,
  { command, before, after, missing }: Case,
): Promise<{ rows: RlsRow[]; failed: Map<number, string> }> {
  const failed = new Map<number, string>()
  const old = before.flatMap(({ text }) => (text === null ? [] : [text]))
  const asking: PartAsked[] = []
  for (const part of facts.inactive ? [] : partsOf[command]) {
    const subjects = isOfNewRow(part) ? after : old
    const answers: Asked[] = []
    for (const { policy, expression } of asked(facts.spoken, command, part)) {
      const found = subjects.length > 0 ? await ask(db, entity, expression, subjects) : []
      if (!Array.isArray(found)) failed.set(policy.id, found.failed)
      answers.push({ policy, found })
    }
    asking.push({ part, answers })
  }
  const judged = (at: number) => {
    const steps = asking.map((part) => stepAt(part, at))
    return { steps, outcome: missing.length > 0 ? ('refused' as const) : outcomeOf(command, steps) }
  }
  const cells = after.length > 0 ? await cellsOf(db, entity, after) : []
  if (command === 'INSERT')
    return { rows: [{ before: [], after: cells[0] ?? null, ...judged(0) }], failed }
  let at = -1
  const rows = before.map((row): RlsRow => {
    if (row.text === null) return { before: row.cells, after: null, outcome: 'unknown', steps: [] }
    at += 1
    return { before: row.cells, after: cells[at] ?? null, ...judged(at) }
  })
  return { rows, failed }
}

function stepAt({ part, answers }: PartAsked, at: number): RlsStep {
  const each = answers.map(({ policy, found }) => {
    const answer: Answer = Array.isArray(found) ? (found[at] ?? null) : 'failed'
    return { id: policy.id, permissive: policy.permissive, answer }
  })
  const policies = each.map(({ id, answer }) => ({
    id,
    passed: answer === 'failed' ? null : answer,
  }))
  return { part, passed: combined(each), policies }
}

type Failed = { failed: string }

/** What an expression says of each row, in their order. */
async function ask(
  db: PoolClient,
  entity: EntityDetail,
  expression: string,
  rows: readonly string[],
): Promise<(boolean | null)[] | Failed> {
  const sql = `select (\n${expression}\n)::text from unnest($1::${tableSql(entity)}[]) as ${quoteIdent(entity.name)}`
  const answer = await inSavepoint(db, sql, [arrayOf(rows)])
  if ('failed' in answer) return answer
  return answer.rows.map(([text]) => (text === null || text === undefined ? null : text === 'true'))
}

/** Whatever a function of a policy's does to its surroundings (another role, a setting) ends here. */
export async function inSavepoint(
  db: PoolClient,
  sql: string,
  values: string[],
): Promise<{ rows: (string | null)[][] } | Failed> {
  await db.query('savepoint asking')
  try {
    return { rows: await asText(db, sql, values) }
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    return { failed: error.message }
  } finally {
    await db.query('rollback to savepoint asking')
  }
}
