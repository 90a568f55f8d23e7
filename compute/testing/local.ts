import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '#kit/log'
import { isMissing } from '#kit/postgres/files'
import { findProcess, processesOf, signal, waitUntil } from '#kit/postgres/processes'
import { preparePostgres } from '#kit/postgres/runtime'
import { findRunning } from '#kit/postgres/server'
import { root } from '#kit/root'
import { specOf } from './conformance-project.ts'
import type { Harness } from './conformance.ts'
import { createLocalProvider } from '../local/local.ts'
import type { LocalOptions } from '../local/machine.ts'

export type LocalHarness = Harness & {
  options: LocalOptions
  /** The project's folder. */
  folder(ref: string): Promise<string>
}

/** The SQL of a project as the platform hands it over: the schema files in order, then what services add. */
export async function projectSql(): Promise<string[]> {
  const at = (...parts: string[]) => join(root, 'data-plane', ...parts)
  const names = (await readdir(at('schema'))).filter((name) => name.endsWith('.sql')).toSorted()
  const auth = ['schema.sql', 'external-schema.sql', 'identity-schema.sql', 'list-indexes.sql'].map(
    (name) => at('auth', name),
  )
  const files = [...names.map((name) => at('schema', name)), ...auth]
  return Promise.all(files.map((file) => readFile(file, 'utf8')))
}

/** A local provider in a folder of its own, with its own ports and users, so that test runs do not meet. */
export async function localHarness(
  where: { folder?: string; mode?: 0o711 | 0o700; spares?: number } = {},
): Promise<LocalHarness> {
  const top = await mkdtemp(join(tmpdir(), 'plinth-local-'))
  await chmod(top, where.mode ?? 0o711)
  const home = join(top, where.folder ?? '')
  const slot = process.pid % 1000
  const options: LocalOptions = {
    home,
    projectSql: await projectSql(),
    log: silentLog,
    spares: where.spares ?? 1,
    portRange: { low: 20_000 + slot * 10, high: 20_000 + slot * 10 + 400 },
    uidBase: 800_000 + slot * 100,
  }
  let current = createLocalProvider(options)
  const clusters = async () => (await preparePostgres(home)).clusters
  const sockets = async () => (await preparePostgres(home)).sockets
  const folder = async (ref: string) => join(await clusters(), 'projects', ref)
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
      const processes = await processesOf(join(await folder(ref), 'data'))
      const folders = await Promise.all([clusters(), sockets()])
      const entries = await Promise.all(folders.map((at) => namesUnder(at)))
      const files = entries.flat().filter((name) => name.includes(ref))
      return [...processes.map((p) => `process ${p.pid} ${p.program}`), ...files]
    },
    async killServer(ref) {
      const server = await findRunning(join(await folder(ref), 'data'))
      if (!server) throw new Error(`No server runs for ${ref}`)
      signal(server.pid, 'SIGKILL')
      await waitUntil(async () => !(await findProcess(server.pid)), 5000)
    },
    async leaveHalfCreated(ref) {
      await current.create(specOf(ref))
      const file = join(await folder(ref), 'project.json')
      const record: unknown = JSON.parse(await readFile(file, 'utf8'))
      await writeFile(file, JSON.stringify({ ...Object(record), ready: false }))
    },
    async close() {
      await current.close()
      for (const ref of await current.list()) await current.destroy(ref)
      for (const folder of [await clusters(), await sockets(), top])
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
