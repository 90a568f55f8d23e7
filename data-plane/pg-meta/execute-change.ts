import type { Change } from '#contract/ddl/change'
import type { Queryable } from './queryable.ts'

/** Runs a change without recording it: what the public metadata API's own endpoints do. Expects a transaction around it. */
export async function executeChange(db: Queryable, { statements }: Change): Promise<void> {
  for (const statement of statements) await db.query(statement)
}
