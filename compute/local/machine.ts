import type { Log } from '#kit/log'
import { createSubjects } from '#kit/subjects'
import { keyOf, type Migration } from '#kit/postgres/migrations'
import { preparePostgres, type PostgresRuntime } from '#kit/postgres/runtime'
import { join } from 'node:path'
import { createBackupFiles, type BackupFiles } from './backups/backup-files.ts'
import { clearDrills } from './backups/scratch.ts'
import { openContainment, type Containment } from './bounds/containment.ts'
import { createFolders, type Folders } from './folders.ts'
import { createRegistry, type PortRange, type Registry } from './registry.ts'
import { createSpares, type Spares } from './spares.ts'
import { prepareTemplate } from './template.ts'
import type { BeforeRecords, Upgrade } from './upgrade.ts'
import { openUsers, usualRanges, type Users } from './users.ts'

/** PGSTAT_IDLE_INTERVAL, and a little. */
const longestStatisticsLag = 11_000

export type LocalOptions = {
  /** All state lives below this folder (PLINTH_HOME). */
  home: string
  /** What a project has, in this order, run as supabase_admin in the database `postgres`. */
  migrations: readonly Migration[]
  /** What of it a project has whose record says so by the name that the last version without records had for it. */
  beforeRecords?: BeforeRecords
  /** What a new project has beside it. */
  newProjectSql?: readonly string[]
  /** What a new project whose tables are granted at once has beside it. */
  grantedTablesSql?: string
  /** Where backups are kept, perhaps on another disk; below `home` unless told. */
  backups?: string
  log: Log
  /** For the TCP port of each project, on 127.0.0.1. */
  portRange?: PortRange
  /** As root every project gets a user of its own. Here it says which installation of this machine has which numbers. */
  userRanges?: string
  /** False: servers are held as on a machine that gives nobody a view of its own mounts (bounds/view.ts). */
  ownView?: boolean
  /** Copies of the template kept ready, so that a create does not wait for one. */
  spares?: number
  /** Milliseconds after which a session that fell silent has told what it has written. */
  statisticsLag?: number
  /** Where else to look for the installed Postgres package, as file paths. */
  packagesFrom?: string[]
}

/** Everything an operation of the local provider works with. */
export type Machine = {
  runtime: PostgresRuntime
  folders: Folders
  registry: Registry
  spares: Spares
  users: Users
  containment: Containment
  upgrade: Upgrade
  grantedTablesSql: string | undefined
  /** What the platform has made in a project (platform-objects.ts). */
  objects: readonly string[]
  statisticsLag: number
  backups: { files: BackupFiles }
  log: Log
}

/**
 * Removes what a crash left half removed, makes the template if it is not there, and takes stock of the projects.
 * @throws the signal's reason when that comes while the template is made
 */
export async function openMachine(options: LocalOptions, signal: AbortSignal): Promise<Machine> {
  const { log, migrations, newProjectSql = [], home, userRanges = usualRanges } = options
  const runtime = await preparePostgres(options.home, options.packagesFrom)
  const folders = createFolders(runtime)
  await folders.make()
  // What cannot be removed is tried again at the next start, and keeps nobody's project from starting.
  const { each } = createSubjects(log)
  await each('trash', await folders.trashed(), String, (name) => folders.emptyTrash(name))
  const registry = await createRegistry(folders, options.portRange ?? { low: 54_400, high: 59_999 })
  for (const [ref, { error }] of registry.unreadable)
    log.error({ ref, err: error }, 'project.json is damaged')
  const users = await openUsers({ home, ranges: userRanges, used: registry.uids(), log })
  const containment = await openContainment({
    home,
    data: runtime.clusters,
    log,
    ownView: options.ownView,
  })
  const user = users.template
  const template = await prepareTemplate({
    runtime,
    folders,
    migrations,
    newProjectSql,
    user,
    signal,
  })
  const spares = await createSpares({
    runtime,
    folders,
    template,
    count: options.spares ?? 1,
    users,
    usedUids: registry.uids,
    log,
  })
  const upgrade = { migrations, key: keyOf(migrations), beforeRecords: options.beforeRecords }
  const backups = { files: createBackupFiles(options.backups ?? join(options.home, 'backups')) }
  await clearDrills({ folders, users }, each)
  const { statisticsLag = longestStatisticsLag } = options
  const parts = { runtime, folders, registry, spares, users, containment }
  const { objects } = template
  const { grantedTablesSql } = options
  return { ...parts, upgrade, grantedTablesSql, objects, statisticsLag, backups, log }
}
