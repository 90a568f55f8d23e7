import { sql } from 'kysely'
import type { Tx } from './database.ts'

/**
 * Whoever changes what belongs to a project waits here for the one before, until their transaction ends. Undefined: there
 * is no such project, or no more.
 */
export const lockProject = (tx: Tx, ref: string) =>
  tx
    .selectFrom('platform.projects')
    .selectAll()
    .where('ref', '=', ref)
    .where('status', '<>', 'REMOVED')
    .forNoKeyUpdate()
    .executeTakeFirst()
export type LockedProject = NonNullable<Awaited<ReturnType<typeof lockProject>>>

/**
 * Whoever begins what goes from git or from a branch into a project or one of its branches looks here, one after the other,
 * whether something else goes there. `projectId` is that of main.
 */
export async function lockBranches(tx: Tx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`branches:${projectId}`}, 0))`.execute(
    tx,
  )
}
