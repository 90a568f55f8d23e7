import { sql } from 'kysely'
import type { DatabasePort } from '#contract/internal-api'
import { computeSizes, poolOf, serverConnections } from '#contract/projects/compute-sizes'
import { replicaTenant } from '#contract/projects/replicas'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db } from '../../platform-database/database.ts'

/** In these whoever connects is told that the project is paused. */
const paused: ProjectStatus[] = ['INACTIVE', 'PAUSING']
/** In these nobody is to reach the database: its server is stopped, or going to be. */
const closed: ProjectStatus[] = ['INIT_FAILED', 'RESTORE_FAILED', 'GOING_DOWN', 'REMOVED']

/** Read replicas that were made; each is where it says, whether it answers or not. */
const replicasOf = sql<{ identifier: string; host: string; port: number }[]>`coalesce((
    select jsonb_agg(jsonb_build_object('identifier', r.identifier, 'host', r.db_address ->> 'host', 'port', (r.db_address ->> 'port')::int)
      order by r.created_at)
    from platform.read_replicas r
    where r.project_id = platform.projects.id and r.db_address is not null and platform.replica_is_billed(r.status)
  ), '[]')`.as('replicas')

export type DatabasePortStore = ReturnType<typeof databasePortStore>

/** `resumeUrl`: where people resume a project. */
export const databasePortStore = (db: Db, resumeUrl: (ref: string) => string) => ({
  /**
   * Of the projects whose server runs, as far as that is known, or is just being started at this address; and of those that
   * are paused, before them: of two that have one port the later holds it.
   */
  async all(): Promise<DatabasePort[]> {
    const rows = await db
      .selectFrom('platform.projects')
      .select([
        'ref',
        'db_address',
        'allowed_networks',
        'ssl_enforced',
        'compute_size',
        'status',
        'service_restarts',
        replicasOf,
      ])
      .where('db_address', 'is not', null)
      .where('status', 'not in', closed)
      .orderBy((e) => e('status', 'in', paused), 'desc')
      .orderBy('id')
      .execute()
    return rows.flatMap(({ ref, db_address: address, compute_size, status, replicas, ...row }) => {
      return address === null
        ? []
        : [
            {
              ref,
              port: address.port,
              host: address.host,
              connections: serverConnections(computeSizes[compute_size].directConnections).all,
              pool: poolOf(compute_size),
              networks: row.allowed_networks,
              ssl_enforced: row.ssl_enforced,
              restarted: row.service_restarts.pooler,
              paused: paused.includes(status) ? resumeUrl(ref) : null,
              replicas: replicas.map(({ identifier, host, port }) => ({
                tenant: replicaTenant(ref, identifier),
                host,
                port,
              })),
            },
          ]
    })
  },
})
