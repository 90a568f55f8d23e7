import { sql } from 'kysely'
import type { RestartableService, ServiceRestarts } from '#contract/projects/service-restarts'
import type { Db, Tx } from '../../platform-database/database.ts'

/** When services of projects were restarted. */
export const serviceRestartStore = (db: Db) => ({
  /** Undefined: there is no such project. */
  async of(ref: string): Promise<ServiceRestarts | undefined> {
    const row = await db
      .selectFrom('platform.projects')
      .select('service_restarts')
      .where('ref', '=', ref)
      .where('status', '<>', 'REMOVED')
      .executeTakeFirst()
    return row?.service_restarts
  },

  /** Notes a restart now. */
  async note(tx: Tx, ref: string, service: RestartableService): Promise<ServiceRestarts> {
    const { service_restarts } = await tx
      .updateTable('platform.projects')
      .set({
        service_restarts: sql`service_restarts || jsonb_build_object(${service}::text, clock_timestamp())`,
      })
      .where('ref', '=', ref)
      .returning('service_restarts')
      .executeTakeFirstOrThrow()
    return service_restarts
  },
})
