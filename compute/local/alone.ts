import { join } from 'node:path'
import { durabilityFloor } from '#kit/postgres/floor'
import type { OsUser } from '#kit/postgres/os-user'
import { startServer, stopServer } from '#kit/postgres/server'
import type { Admin } from './admin-session.ts'
import { archiveSettings } from './backups/archive.ts'
import { writeConfig } from './config.ts'
import type { Machine } from './machine.ts'
import type { ProjectRecord } from './registry.ts'
import { aloneAccessRules, connectionSettings, preloadSettings } from './settings.ts'

const port = 5432

/**
 * Runs a stopped project's server for as long as `work` takes, with a configuration of its own beside the data: the superuser
 * alone comes in, over a socket in a folder that only the project's own user and the platform can enter. The project's own
 * rules are not touched, so a crash at any point leaves nothing open. It ends stopped.
 */
export async function withServerAlone<T>(
  machine: Machine,
  ref: string,
  {
    maxConnections,
    archive,
    programs,
  }: Pick<ProjectRecord, 'maxConnections' | 'archive' | 'programs'>,
  user: OsUser | undefined,
  work: (admin: Admin) => Promise<T>,
): Promise<T> {
  const { folders } = machine
  const dataDir = folders.data(ref)
  const configDir = join(folders.project(ref), 'alone')
  const socket = `a-${ref}`
  await writeConfig(configDir, aloneAccessRules, user)
  const socketDir = await folders.makeSocket(socket, user)
  try {
    const { binaries, preload } = await machine.programs(programs)
    await startServer({
      binaries,
      dataDir,
      configDir,
      socketDir,
      port,
      tcp: false,
      settings: {
        ...durabilityFloor,
        autovacuum: 'off',
        ...connectionSettings(maxConnections),
        ...preloadSettings(preload),
        // What is written now belongs to the history that is kept.
        ...(archive === undefined ? {} : archiveSettings(machine, ref, archive)),
      },
      logFile: folders.log(ref),
      ...(await machine.containment.held({
        group: ref,
        maxConnections,
        user,
        writes: [dataDir, socketDir, ...(archive === undefined ? [] : [folders.archive(ref)])],
        reads: [binaries.native, configDir],
      })),
    })
    return await work({ host: socketDir, port, password: '' })
  } finally {
    await stopServer(dataDir)
    await machine.users.end(user)
    await machine.containment.ended(ref)
    await folders.removeSocket(socket)
    await folders.discard(configDir)
  }
}
