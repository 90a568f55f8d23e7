import { poolOf } from '#contract/projects/compute-sizes'
import type { Project } from '#contract/projects/projects'
import { regions } from '#contract/projects/regions'
import { v1 as api } from '#contract/v1/v1'
import { implement, type Caller, type Origin } from '#kit/http'

type Order = (caller: Caller, ref: string, origin: Origin) => Promise<Project>

export type ProjectParts = {
  get: (ref: string) => Promise<Project>
  rename: (caller: Caller, ref: string, name: string, origin: Origin) => Promise<Project>
  pause: Order
  restart: Order
  restore: Order
  cancelRestore: (caller: Caller, ref: string, origin: Origin) => Promise<void>
}

const specific = regions.map(({ code, displayName: name }) => ({
  name,
  code,
  type: 'specific' as const,
  provider: 'AWS' as const,
}))
const type = 'smartGroup' as const
const americas = { name: 'Americas', code: 'americas' as const, type }
const groups = [
  americas,
  { name: 'Europe, Middle East and Africa', code: 'emea' as const, type },
  { name: 'Asia and the Pacific', code: 'apac' as const, type },
]

const brief = ({ id, ref, name }: Project) => ({ id, ref, name })

/** Where clients in transaction mode are taken, in the shape of the public API; undefined: nowhere. */
function poolerOf({ ref, db_host, infra_compute_size }: Project, port: number | null | undefined) {
  if (!port) return undefined
  const { size, clients } = poolOf(infra_compute_size)
  const db_user = `postgres.${ref}`
  const connection_string = `postgresql://${db_user}:[YOUR-PASSWORD]@${db_host}:${port}/postgres`
  return {
    identifier: ref,
    database_type: 'PRIMARY' as const,
    is_using_scram_auth: true,
    db_user,
    db_host,
    db_port: port,
    db_name: 'postgres',
    connection_string,
    connectionString: connection_string,
    default_pool_size: size,
    max_client_conn: clients,
    pool_mode: 'transaction' as const,
  }
}

export const v1ProjectRoutes = (
  { get, rename, pause, restart, restore, cancelRestore }: ProjectParts,
  /** Of the pooler in transaction mode. */
  poolerPort: number | null | undefined,
) => [
  implement(api.availableRegions, async () => ({
    recommendations: { smartGroup: americas, specific: specific.slice(0, 1) },
    all: { smartGroup: groups, specific },
  })),
  implement(api.updateProject, async ({ ref, name }, caller, origin) =>
    brief(await rename(caller, ref, name, origin)),
  ),
  implement(api.pause, async ({ ref }, caller, origin) => brief(await pause(caller, ref, origin))),
  implement(api.restart, async ({ ref }, caller, origin) =>
    brief(await restart(caller, ref, origin)),
  ),
  implement(api.restoreVersions, async ({ ref }) => {
    const { dbVersion } = await get(ref)
    const [postgres_engine = ''] = dbVersion.split('.')
    const release_channel = 'ga' as const
    return { available_versions: [{ version: dbVersion, release_channel, postgres_engine }] }
  }),
  implement(api.restore, async ({ ref }, caller, origin) =>
    brief(await restore(caller, ref, origin)),
  ),
  implement(api.cancelRestore, async ({ ref }, caller, origin) => {
    await cancelRestore(caller, ref, origin)
    return {}
  }),

  implement(api.pooler, async ({ ref }) => {
    const pooler = poolerOf(await get(ref), poolerPort)
    return pooler ? [pooler] : []
  }),
  implement(api.pgbouncer, async ({ ref }) => {
    const pooler = poolerOf(await get(ref), poolerPort)
    if (!pooler) return {}
    const { pool_mode, default_pool_size, max_client_conn, connection_string } = pooler
    return { pool_mode, default_pool_size, max_client_conn, connection_string }
  }),
]
