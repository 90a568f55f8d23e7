import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#kit/failpoints'
import type { Log } from '#kit/log'
import { folderOfDay, spanOfDay } from './days.ts'
import { unfinishedCountsName, unfinishedName } from './file-names.ts'
import type { LogLimits } from './limits.ts'
import type { Job } from './pack-plan.ts'
import type { ProjectFolders } from './project-folders.ts'
import { publish } from './publish.ts'
import { startEngine, type Engine, type EngineProgram } from './start-engine.ts'
import type { Writers } from './writers.ts'

type Options = {
  folders: ProjectFolders
  writers: Pick<Writers, 'key'>
  engine: EngineProgram
  limits: LogLimits
  log: Log
}

/**
 * Packs lines with a child that lives as long as there is something to pack. The child makes files and this process gives
 * them their names, so that nothing happens any more once this process has ended, whatever the child is at.
 */
export function createPacker({ folders, writers, engine, limits, log }: Options) {
  let child: Engine | undefined
  let closed = false
  /** Until when files are left as they are that could not be packed, by key; they can be read all the same. */
  const leftUntil = new Map<string, number>()
  const isLeft = (key: string) => (leftUntil.get(key) ?? 0) > performance.now()

  async function packOne({ ref, day, files }: Job): Promise<void> {
    const folder = folders.ofDay(ref, day)
    const key = await writers.key()
    const path = (name: string) => join(ref, folderOfDay(day), name)
    const names = (kind: 'sealed' | 'packed') =>
      files.filter((file) => file.kind === kind).map(({ name }) => path(name))
    child ??= await startEngine({
      engine,
      folder: folders.folder,
      role: 'packer',
      memoryMb: limits.packerMb,
      limits,
      log,
    })
    const answer = await child.run(
      {
        kind: 'pack',
        files: { lines: names('sealed'), packed: names('packed') },
        to: path(unfinishedName(key)),
        counts: path(unfinishedCountsName(key)),
      },
      limits.packMs,
    )
    failpoint('logs.pack.made')
    if (!('packed' in answer)) throw new Error('The engine answered something else')
    if (answer.packed === null) {
      for (const { name } of files) await rm(join(folder, name), { force: true })
      return
    }
    // Entries are of their own day: what the file says beyond that is not believed.
    const bounds = spanOfDay(day)
    const { first, last, counts } = answer.packed
    const span = { from: Math.max(first, bounds.from), to: Math.min(last + 1, bounds.to) }
    await publish({ folder, key, span, mode: folders.fileMode, replaces: files, counts })
  }

  return {
    /** One after the other. What cannot be packed is left as it is, and said. @throws EngineMissing */
    async pack(jobs: readonly Job[]): Promise<void> {
      try {
        for (const job of jobs) {
          if (job.files.some(({ key }) => isLeft(key))) continue
          try {
            await packOne(job)
          } catch (error) {
            if (closed) return
            if (!child) throw error
            if (!child.isUp) child = undefined
            for (const { key } of job.files) leftUntil.set(key, performance.now() + limits.leaveMs)
            log.error({ err: error, ref: job.ref, day: folderOfDay(job.day) }, 'logs not packed')
          }
        }
      } finally {
        await child?.end()
        child = undefined
      }
    },
    /** Of the child that packs, where there is one. */
    pid: (): number | undefined => child?.pid,
    async close(): Promise<void> {
      closed = true
      await child?.end()
    },
  }
}
export type Packer = ReturnType<typeof createPacker>
