import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { silentLog } from '#kit/log'
import { isMissing } from '#kit/postgres/files'
import { findProcess, processesOf, signal, waitUntil } from '#kit/postgres/processes'
import { findRunning } from '#kit/postgres/server'
import { databasePortRange } from '#kit/testing/free-port'
import { grantedTablesSql, newProjectSql, projectMigrations } from '#start/tenants'
import { specOf } from './conformance-project.ts'
import type { VaultKeysOf } from '../provider.ts'
import type { Harness } from './conformance.ts'
import { makeHome } from './home.ts'
import { createGuard } from '../local/guard/guard.ts'
import { createLocalProvider } from '../local/local.ts'
import type { LocalOptions } from '../local/machine.ts'

export type LocalHarness = Harness & {
  options: LocalOptions
  /** The project's folder. */
  folder(ref: string): string
}

/**
 * A local provider in a folder of its own, with its own ports and users, so that test runs do not meet. Its projects are
 * made of `sql`, for which it makes a template itself, or of what new projects of the platform are.
 */
export async function localHarness(
  where: {
    inside?: string
    mode?: 0o711 | 0o700
    spares?: number
    sql?: string[]
    vaultKeys?: VaultKeysOf
    reach?: LocalOptions['reach']
  } = {},
): Promise<LocalHarness> {
  const { top, home, runtime, userRanges } = await makeHome(where)
  const { clusters, sockets } = runtime
  const options: LocalOptions = {
    home,
    migrations: where.sql ? [] : projectMigrations(),
    newProjectSql: where.sql ?? newProjectSql(),
    grantedTablesSql: grantedTablesSql(),
    log: silentLog,
    // Tests write and look from one session after the other: what the last one wrote is told when it ends.
    statisticsLag: 50,
    spares: where.spares ?? 1,
    ...(where.vaultKeys && { vaultKeys: where.vaultKeys }),
    ...(where.reach && { reach: where.reach }),
    portRange: databasePortRange(),
    userRanges,
  }
  let current = createLocalProvider(options)
  const folder = (ref: string) => join(clusters, 'projects', ref)
  return {
    options,
    provider: current,
    folder,
    async reopen() {
      await current.close()
      current = createLocalProvider(options)
      await current.prepare()
      return current
    },
    async tracesOf(ref) {
      const processes = await processesOf(join(folder(ref), 'data'))
      const entries = await Promise.all([clusters, sockets].map((at) => namesUnder(at)))
      const files = entries.flat().filter((name) => name.includes(ref))
      return [...processes.map((p) => `process ${p.pid} ${p.program}`), ...files]
    },
    async killServer(ref) {
      const server = await findRunning(join(folder(ref), 'data'))
      if (!server) throw new Error(`No server runs for ${ref}`)
      signal(server.pid, 'SIGKILL')
      await waitUntil(async () => !(await findProcess(server.pid)), 5000)
    },
    async leaveHalfCreated(ref) {
      await current.create(specOf(ref))
      const file = join(folder(ref), 'project.json')
      const record: unknown = JSON.parse(await readFile(file, 'utf8'))
      await writeFile(file, JSON.stringify({ ...Object(record), ready: false }))
    },
    async close() {
      await current.close()
      await Promise.all((await current.list()).map((ref) => current.destroy(ref)))
      if (where.reach) await (await createGuard(home, [])).lift()
      for (const folder of [clusters, sockets, top])
        await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Every path under a folder, relative to it. A spare that is made or renamed meanwhile is not worth a failure. */
async function namesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  const deeper = entries.map(async (entry) => {
    const inside = entry.isDirectory() ? await namesUnder(join(folder, entry.name)) : []
    return [entry.name, ...inside.map((name) => join(entry.name, name))]
  })
  return (await Promise.all(deeper)).flat()
}
