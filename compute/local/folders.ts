import { chmod, chown, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { isMissing } from '#kit/postgres/files'
import type { OsUser } from '#kit/postgres/os-user'
import { listProcesses } from '#kit/postgres/processes'
import type { PostgresRuntime } from '#kit/postgres/runtime'

/**
 * The provider's folders:
 *   clusters/projects/{ref}/data, project.json, server.log   one project
 *   clusters/projects/{ref}/config                           what its server is told (config.ts)
 *   clusters/projects/{ref}/config/vault                     the keys of its vault, while its server runs (vault/vault-keys.ts)
 *   clusters/templates/{key}, clusters/spares/{key}-{uid}    stopped clusters to copy, copies made ahead
 *   clusters/projects/{ref}/archive                          its WAL, where that is kept (backups/archive.ts)
 *   clusters/projects/{ref}/replicas/{id}                    a read replica: data, server.log, login (replicas/)
 *   clusters/projects/{ref}/restoring, restored              data that are to take the place of its own
 *   clusters/drills/{ref}-{id}                               a backup that is being read back
 *   clusters/trash                                           what is being removed, or was when we were killed
 *   sockets/{ref}, sockets/{ref}-{id}                        exists while the server, or a replica of it, runs
 * All belong to the platform, but the data directory, which belongs to the project's user.
 */
export function createFolders(runtime: PostgresRuntime) {
  const at = (...parts: string[]) => join(runtime.clusters, ...parts)
  const trash = at('trash')
  return {
    templates: at('templates'),
    spares: at('spares'),
    projects: at('projects'),
    project: (ref: string) => at('projects', ref),
    data: (ref: string) => at('projects', ref, 'data'),
    config: (ref: string) => at('projects', ref, 'config'),
    /** Beside the access rules, where the server reads and nobody but the platform writes (vault/vault-keys.ts). */
    vault: (ref: string) => at('projects', ref, 'config', 'vault'),
    archive: (ref: string) => at('projects', ref, 'archive'),
    restoring: (ref: string) => at('projects', ref, 'restoring'),
    restored: (ref: string) => at('projects', ref, 'restored'),
    replicas: (ref: string) => at('projects', ref, 'replicas'),
    replica: (ref: string, id: string) => at('projects', ref, 'replicas', id),
    drills: at('drills'),
    drill: (name: string) => at('drills', name),
    log: (ref: string) => at('projects', ref, 'server.log'),
    socket: (ref: string) => join(runtime.sockets, ref),

    async make(): Promise<void> {
      for (const name of ['templates', 'spares', 'projects', 'drills', 'trash']) {
        await mkdir(at(name), { recursive: true })
        await chmod(at(name), 0o711)
      }
    },
    /** An empty socket folder that only the project's user and the platform can enter. */
    async makeSocket(name: string, user: OsUser | undefined): Promise<string> {
      const path = join(runtime.sockets, name)
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { mode: 0o700 })
      if (user) await chown(path, user.uid, user.gid)
      return path
    },
    async removeSocket(name: string): Promise<void> {
      await rm(join(runtime.sockets, name), { recursive: true, force: true })
    },
    /** The ids of replicas of which there is a folder. */
    async replicasOf(ref: string): Promise<string[]> {
      return readdir(at('projects', ref, 'replicas')).catch((error: unknown) => {
        if (isMissing(error)) return []
        throw error
      })
    },
    /** Removes a folder in two steps: out of the way at once, then file by file. */
    async discard(path: string): Promise<void> {
      const away = join(trash, `${basename(path)}-${randomBytes(6).toString('hex')}`)
      try {
        await rename(path, away)
      } catch (error) {
        if (isMissing(error)) return
        throw error
      }
      await rm(away, { recursive: true, force: true })
    },
    trashed: () => readdir(trash),
    /** Finishes removals that were interrupted: all, or those of one project. */
    async emptyTrash(ref = ''): Promise<void> {
      const left = (await readdir(trash)).filter((name) => name.startsWith(ref))
      for (const name of left) await rm(join(trash, name), { recursive: true, force: true })
    },
    /** The refs that have a folder, a socket, something in the trash or a process, sorted. */
    async refs(): Promise<string[]> {
      const [projects, sockets, removed, processes] = await Promise.all([
        readdir(at('projects')),
        readdir(runtime.sockets),
        readdir(trash),
        listProcesses(),
      ])
      const working = processes
        .filter((p) => p.program === 'postgres' && p.cwd.startsWith(at('projects', '')))
        .map((p) => p.cwd.slice(at('projects', '').length).split('/')[0] ?? '')
      const names = [...projects, ...sockets, ...working, ...removed.map((n) => n.slice(0, 20))]
      return [...new Set(names.filter((name) => isRef(name)))].toSorted()
    },
  }
}
export type Folders = ReturnType<typeof createFolders>

export function isRef(name: string): boolean {
  return /^[a-z]{20}$/.test(name)
}
