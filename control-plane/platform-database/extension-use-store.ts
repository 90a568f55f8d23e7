import { sql } from 'kysely'
import type { Tx } from './database.ts'

/** Which projects have an extension that a process of the platform works for, one table for each extension. */
type UseTable = 'platform.cron_projects' | 'platform.net_projects'

/** Keeps that a project's database has the extension, or has it no more; a project that there is not is passed over. Whether that is new. */
export async function keepExtensionUse(
  tx: Tx,
  table: UseTable,
  ref: string,
  used: boolean,
): Promise<boolean> {
  const changed = used
    ? await tx
        .insertInto(table)
        .columns(['project_id'])
        .expression((from) =>
          from
            .selectFrom('platform.projects')
            .select('id')
            .where('ref', '=', ref)
            .where('status', '<>', 'REMOVED'),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning(sql<number>`1`.as('one'))
        .execute()
    : await tx
        .deleteFrom(table)
        .where('project_id', 'in', (from) =>
          from.selectFrom('platform.projects').select('id').where('ref', '=', ref),
        )
        .returning(sql<number>`1`.as('one'))
        .execute()
  return changed.length > 0
}
