import { sql } from 'kysely'
import type { Tx } from './database.ts'

/**
 * Whoever begins what goes from git or from a branch into a project or one of its branches looks here, one after the other,
 * whether something else goes there. `projectId` is that of main.
 */
export async function lockBranches(tx: Tx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`branches:${projectId}`}, 0))`.execute(
    tx,
  )
}
