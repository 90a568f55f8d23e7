import { join } from 'node:path'
import { keyOf } from '#kit/postgres/migrations'
import { keepInstalled, preparePostgres, projectPrograms } from '#kit/postgres/runtime'
import { createSubjects } from '#kit/subjects'
import { createBackupFiles } from './backups/backup-files.ts'
import { clearDrills } from './backups/scratch.ts'
import { openContainment } from './bounds/containment.ts'
import { createGuard } from './guard/guard.ts'
import { createFolders } from './folders.ts'
import type { LocalOptions, Machine } from './machine.ts'
import { createRegistry } from './registry.ts'
import { createSpares } from './spares.ts'
import { prepareTemplate } from './template.ts'
import { openUsers, usualRanges } from './users.ts'

/** PGSTAT_IDLE_INTERVAL, and a little. */
const longestStatisticsLag = 11_000

/**
 * Removes what a crash left half removed, makes the template if it is not there, and takes stock of the projects.
 * @throws the signal's reason when that comes while the template is made
 */
export async function openMachine(options: LocalOptions, signal: AbortSignal): Promise<Machine> {
  const { log, migrations, newProjectSql = [], home, userRanges = usualRanges } = options
  const runtime = await preparePostgres(home, options.packagesFrom, options.postgresDir)
  await keepInstalled(runtime)
  const folders = createFolders(runtime)
  await folders.make()
  // What cannot be removed is tried again at the next start, and keeps nobody's project from starting.
  const { each } = createSubjects(log)
  await each('trash', await folders.trashed(), String, (name) => folders.emptyTrash(name))
  const registry = await createRegistry(folders, options.portRange ?? { low: 54_400, high: 59_999 })
  for (const [ref, { error }] of registry.unreadable)
    log.error({ ref, err: error }, 'project.json is damaged')
  const guard = options.reach && (await createGuard(home, options.reach))
  const users = await openUsers({
    home,
    ranges: userRanges,
    used: registry.uids(),
    log,
    async onRanges(ranges) {
      const reason = await guard?.cover(ranges)
      if (reason) log.info({ reason }, 'Databases of projects can reach the inner network')
    },
  })
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
  const programs = (id?: string) => projectPrograms(runtime, home, id)
  const parts = { runtime, programs, folders, registry, spares, users, containment }
  const { objects } = template
  const { grantedTablesSql } = options
  const { vaultKeys } = options
  return { ...parts, upgrade, grantedTablesSql, objects, statisticsLag, vaultKeys, backups, log }
}
