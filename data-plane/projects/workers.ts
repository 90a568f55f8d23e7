import type { Log } from '#kit/log'
import type { OpenProject } from './open-project.ts'

/** Something that runs for one project until it is stopped, or until the project closes. */
export type Worker = { readonly ended: Promise<void>; stop(): Promise<void> }

type Options = {
  /** What they do, for the log: "The webhooks". */
  what: string
  /** The projects that want one. Rejects when nobody can tell at the moment. */
  desired: () => Promise<string[]>
  /** Hears of every moment at which that, or how a project is reached, may have changed. Returns how to stop listening. */
  onAnyChange(listener: () => void): () => void
  /** Rejects while the project has no running database. */
  open: (ref: string) => Promise<OpenProject | undefined>
  start: (project: OpenProject) => Worker
  log: Log
}

/** A project that could not be opened is tried again this often, if nothing is heard of it before. */
const retryMs = 15_000

/** A worker for every project that wants one, as long as its database runs. */
export function createWorkers(options: Options) {
  const { what, desired, onAnyChange, open, log } = options
  const workers = new Map<string, Worker>()
  let looking: Promise<void> | undefined
  let again = false
  let closed = false

  async function start(ref: string): Promise<void> {
    const project = await open(ref)
    // Who owes too much may only read, and a worker notes what it does.
    if (!project || project.closed || project.connection.restricted || closed) return
    const worker = options.start(project)
    workers.set(ref, worker)
    void worker.ended.finally(() => {
      if (workers.get(ref) === worker) workers.delete(ref)
      look()
    })
  }

  async function lookOnce(): Promise<void> {
    const refs = new Set(await desired())
    for (const [ref, worker] of workers) if (!refs.has(ref)) void worker.stop()
    for (const ref of refs) {
      if (closed || workers.has(ref)) continue
      await start(ref).catch((error: unknown) => {
        log.debug({ err: error, ref }, `${what} of a project wait until it runs`)
      })
    }
  }

  function look(): void {
    again = true
    looking ??= (async () => {
      while (again && !closed) {
        again = false
        await lookOnce().catch((error: unknown) =>
          // Programs start in any order; the next round asks again.
          log.debug({ err: error }, `${what}: whose they are is not known`),
        )
      }
    })().finally(() => (looking = undefined))
  }
  const unfollow = onAnyChange(look)
  const timer = setInterval(look, retryMs)
  timer.unref()

  return {
    start: look,
    async close(): Promise<void> {
      closed = true
      clearInterval(timer)
      unfollow()
      await looking
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
    },
  }
}
