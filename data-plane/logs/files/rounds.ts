import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '#kit/log'
import { isMissing } from '#kit/postgres/files'
import { dayOf, spanOfDay } from './days.ts'
import { readFileName, sealedName, type LogFile } from './file-names.ts'
import type { LogLimits } from './limits.ts'
import { mergeJobs, packJobs, type Job, type Sized } from './pack-plan.ts'
import type { Packer } from './packer.ts'
import { namesIn, statOf, type ProjectFolders } from './project-folders.ts'
import { finishEarlier } from './publish.ts'
import type { Segments } from './segments.ts'
import type { Space } from './space.ts'
import { EngineMissing } from './start-engine.ts'
import type { Writers } from './writers.ts'

type Options = {
  folders: ProjectFolders
  writers: Writers
  segments: Segments
  packer: Packer
  space: Space
  now: () => number
  limits: LogLimits
  /** There is no engine after all. */
  onMissing: (error: EngineMissing) => void
  canPack: () => boolean
  log: Log
}
type Day = { ref: string; day: number; files: Sized[] }

/** Rounds that look at every day there is; those between look at the last two days, where something happens. */
const everyDayEach = 60

/**
 * What has to be done with the files now and then. Each process looks after its own; what dead ones left, packing and room
 * are the work of the eldest that lives, so that no two do it at once.
 */
export function createRounds(options: Options) {
  const { folders, writers, segments, packer, space, now, limits, canPack, log } = options
  let count = 0
  let running: Promise<void> = Promise.resolve()
  let closed = false
  /** Projects whose turn is still to come. */
  const asked = new Set<string>()

  async function isEldest(): Promise<boolean> {
    const { living } = await writers.look()
    return living[0] === undefined || living[0] === (await writers.id())
  }
  /** Goes on with what was begun, and seals what dead writers left. */
  async function mend(ref: string, day: number): Promise<Day> {
    const folder = folders.ofDay(ref, day)
    const files = await finishEarlier(folder, await filesIn(folder))
    // Looked at after the files: whoever has a file was registered before it had it.
    const needed = files.some(({ kind }) => kind === 'active')
    const living = needed ? new Set((await writers.look()).living) : new Set<string>()
    const kept: LogFile[] = []
    for (const file of files) {
      if (file.kind !== 'active') kept.push(file)
      else if (!living.has(file.writer)) kept.push(await sealDead(folder, file.key, day))
    }
    return { ref, day, files: await sized(folder, kept) }
  }
  async function sealDead(folder: string, key: string, day: number): Promise<LogFile> {
    // Nobody knows when its entries are; until it is packed it may have any of its day.
    const name = sealedName(spanOfDay(day), key)
    await rename(join(folder, `${key}.jsonl`), join(folder, name))
    const sealed = readFileName(name)
    if (!sealed) throw new Error(`${name} is no name of a file`)
    return sealed
  }
  async function look(all: boolean, only?: string): Promise<Day[]> {
    const found: Day[] = []
    const since = dayOf(now() * 1000) - 1
    for (const ref of only === undefined ? await folders.projects() : [only]) {
      for (const day of await folders.days(ref)) {
        if (!all && day < since) continue
        try {
          found.push(await mend(ref, day))
        } catch (error) {
          // Removed meanwhile, with its folder.
          if (!isMissing(error)) throw error
        }
      }
    }
    return found
  }
  function isDue(days: readonly Day[]): boolean {
    const sealed = days.flatMap(({ files }) => files).filter(({ kind }) => kind === 'sealed')
    const bytes = sealed.reduce((sum, file) => sum + file.bytes, 0)
    return bytes >= limits.packBytes
  }
  const isOld = ({ kind, changedAt }: Sized) =>
    kind === 'sealed' && now() - changedAt >= limits.packAfterMs

  async function packDue(days: readonly Day[], force: boolean): Promise<void> {
    const all = force || isDue(days)
    const due = days.filter(({ files }) => all || files.some(isOld))
    const jobs = due.flatMap(({ ref, day, files }) => packJobs(ref, day, files, limits.packInto))
    await pack([...jobs, ...merges(days)])
  }
  const merges = (days: readonly Day[]): Job[] =>
    days.flatMap(({ ref, day, files }) => mergeJobs(ref, day, files, limits.filesOfDay))

  async function pack(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0 || !canPack() || closed) return
    try {
      await packer.pack(jobs)
    } catch (error) {
      if (!(error instanceof EngineMissing)) throw error
      options.onMissing(error)
    }
  }
  async function round(force: boolean): Promise<void> {
    if (!(await writers.touch())) await segments.abandon()
    await segments.tidy()
    if (!(await isEldest())) return
    const all = force || count++ % everyDayEach === 0
    const dead = all ? (await writers.look()).dead : []
    await packDue(await look(all), force)
    // All days were looked at, so nothing of them is left.
    for (const writer of dead) await writers.forget(writer)
    if (all || space.mayBeFull()) await space.makeRoom()
  }
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = running.then(work)
    running = done.catch((error: unknown) => {
      log.error({ err: error }, 'logs could not be looked after')
    })
    return done
  }
  const timer = setInterval(
    () => void inTurn(() => round(false)).catch(() => undefined),
    limits.roundMs,
  )
  timer.unref()

  return {
    /** At the start: what dead processes left is looked for in all days. */
    first: (): Promise<void> => inTurn(() => round(false)),
    /** Packs everything that is sealed, and makes room. */
    all: (): Promise<void> => inTurn(() => round(true)),
    /** Somebody asks about a project: where much of it is not packed, it is now. */
    asked: (ref: string): Promise<void> => {
      if (asked.has(ref)) return running
      asked.add(ref)
      return inTurn(async () => {
        asked.delete(ref)
        if (closed || !(await isEldest())) return
        const days = await look(false, ref)
        const lines = days.flatMap(({ files }) => files).filter(({ kind }) => kind === 'sealed')
        if (lines.reduce((sum, { bytes }) => sum + bytes, 0) < limits.packAskedBytes) return
        await packDue(days, true)
      })
    },
    async close(): Promise<void> {
      closed = true
      clearInterval(timer)
      await packer.close()
      await running
    },
  }
}
export type Rounds = ReturnType<typeof createRounds>

async function filesIn(folder: string): Promise<LogFile[]> {
  return (await namesIn(folder)).map(readFileName).filter((file) => file !== undefined)
}

async function sized(folder: string, files: readonly LogFile[]): Promise<Sized[]> {
  const found: Sized[] = []
  for (const file of files) {
    const state = await statOf(join(folder, file.name))
    // Giving a file its name changes when it was changed.
    if (state) found.push({ ...file, bytes: state.size, changedAt: state.ctimeMs })
  }
  return found
}
