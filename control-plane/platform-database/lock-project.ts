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
