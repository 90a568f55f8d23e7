import type { Log } from '#kit/log'
import type { LogLimits } from './limits.ts'
import type { ProjectFolders } from './project-folders.ts'
import { startEngine, type Engine, type EngineProgram } from './start-engine.ts'

type Options = {
  folders: ProjectFolders
  engine: EngineProgram
  limits: LogLimits
  log: Log
}
type Reader = { engine: Engine; uses: number; rest?: NodeJS.Timeout }

/** The children that read: one for each project that is being asked about, as long as somebody asks. */
export function createReaders({ folders, engine, limits, log }: Options) {
  /** The one that has rested longest comes first. */
  const readers = new Map<string, Reader>()

  async function start(ref: string): Promise<Reader> {
    await makeRoom()
    const started = await startEngine({
      engine,
      folder: folders.of(ref),
      user: await folders.reader(ref),
      role: 'reader',
      memoryMb: limits.readerMb,
      limits,
      log,
    })
    return { engine: started, uses: 0 }
  }
  async function makeRoom(): Promise<void> {
    for (const [ref, { uses }] of readers) {
      if (readers.size < limits.readers) return
      if (uses === 0) await end(ref)
    }
  }
  async function end(ref: string): Promise<void> {
    const reader = readers.get(ref)
    readers.delete(ref)
    clearTimeout(reader?.rest)
    await reader?.engine.end()
  }
  function release(ref: string, reader: Reader): void {
    reader.uses -= 1
    if (readers.get(ref) !== reader) return
    if (!reader.engine.isUp) return void readers.delete(ref)
    reader.rest = setTimeout(() => void end(ref), limits.restMs).unref()
  }

  return {
    /** Lets a question have its project's reader. Of one project they come one after the other. @throws EngineMissing */
    async use<T>(ref: string, work: (engine: Engine) => Promise<T>): Promise<T> {
      const known = readers.get(ref)
      const reader = known?.engine.isUp ? known : await start(ref)
      clearTimeout(reader.rest)
      readers.delete(ref)
      readers.set(ref, reader)
      reader.uses += 1
      try {
        return await work(reader.engine)
      } finally {
        release(ref, reader)
      }
    },
    /** Process ids by project, of those that are up. */
    pids: () =>
      new Map(
        [...readers].map(
          ([
            ref,
            {
              engine: { pid },
            },
          ]) => [ref, pid],
        ),
      ),
    end,
    close: async (): Promise<void> => {
      await Promise.all([...readers.keys()].map(end))
    },
  }
}
export type Readers = ReturnType<typeof createReaders>
