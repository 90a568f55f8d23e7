import { createHash } from 'node:crypto'
import { chown } from 'node:fs/promises'
import type { FunctionCode, ServedFunction } from '#contract/functions/functions-internal'
import type { Log } from '#kit/log'
import type { OsUser } from '#kit/postgres/os-user'
import type { Door } from './database-door.ts'
import { findDeno } from './deno.ts'
import { eventOf, type NoteEvent } from './function-event.ts'
import { Fault } from './faults.ts'
import { createUsers, openFolders, type Folders, type WorkerFolder } from './folders.ts'
import type { Usage } from '#kit/process-usage'
import type { WorkerLimits } from './limits.ts'
import type { Network } from './network.ts'
import type { FunctionSource } from './source.ts'
import { databaseOf, gatewayOf } from './worker-process.ts'
import { startWorker, type Worker } from './worker.ts'

export type Call = {
  ref: string
  served: ServedFunction
  /** Of this version. */
  environment: Record<string, string>
  /** When somebody last restarted the functions of the project. */
  restarted?: string | undefined
}
type Laid = { folder: WorkerFolder; user: OsUser | undefined; entrypoint: string; doors: Door[] }
type Slot = {
  ref: string
  versionId: string
  restarted: string | undefined
  key: string
  laid: Promise<Laid>
  worker: Worker | undefined
  /** Calls that have it, from before its worker listens until they have ended. */
  calls: number
}

type Options = {
  home: string
  source: Pick<FunctionSource, 'code'>
  limits: WorkerLimits
  network: Network
  note: NoteEvent
  /** Listens at a path for what the functions of a project ask of that project. */
  openGateway: (ref: string, path: string) => Promise<Door>
  /** The same for what they ask of its database itself. */
  openDatabase: (ref: string, path: string) => Promise<Door>
  /** Hears what the workers of a function use. */
  measure?: ((ref: string, functionId: string, usage: Usage) => void) | undefined
  log: Log
  /** Workers that live at once; the one that has rested longest makes room for another. */
  max?: number
}

/** The workers of this process: one for each active version that is being called, started by the first call. */
export function createWorkers(options: Options) {
  const { home, source, limits, network, note, log, max = 200 } = options
  const slots = new Map<string, Slot>()
  const ending = new Set<Promise<void>>()
  const newUser = createUsers()
  let prepared: Promise<{ deno: string; folders: Folders }> | undefined
  let closed = false

  async function prepare() {
    const deno = await findDeno()
    if (deno === undefined) throw new Fault('NO_RUNTIME')
    return { deno, folders: await openFolders(home) }
  }
  const runtime = () =>
    (prepared ??= prepare().catch((error: unknown) => {
      prepared = undefined
      throw error
    }))

  async function lay(ref: string, codeOf: () => Promise<FunctionCode>): Promise<Laid> {
    const { folders } = await runtime()
    const user = newUser()
    const code = await codeOf()
    const folder = await folders.lay(code, user)
    const paths = [gatewayOf(folder), databaseOf(folder)] as const
    const doors = await Promise.all([
      options.openGateway(ref, paths[0]),
      options.openDatabase(ref, paths[1]),
    ])
    if (user) for (const path of paths) await chown(path, user.uid, user.gid)
    return { folder, user, entrypoint: code.entrypointPath, doors }
  }

  function slotOf(call: Call): Slot {
    const { id, versionId } = call.served
    const key = keyOf(versionId, call.environment)
    const { restarted } = call
    const before = slots.get(id)
    if (before?.key === key && before.restarted === restarted) return before
    if (before) retire(before, before.restarted === restarted ? 'replaced' : 'restarted')
    const slot: Slot = {
      ref: call.ref,
      versionId,
      restarted,
      key,
      laid: lay(call.ref, () => source.code(call.served.versionId)),
      worker: undefined,
      calls: 0,
    }
    slots.set(id, slot)
    slot.laid.catch(() => {
      // The next call tries again.
      if (slots.get(id) === slot) slots.delete(id)
    })
    return slot
  }

  /** Its requests go on to their end; then it ends, and what it had on the disk goes. */
  function retire(slot: Slot, reason: string): void {
    for (const [id, each] of slots) if (each === slot) slots.delete(id)
    const done = end(slot, reason)
      .catch((error: unknown) => log.error({ err: error }, 'A worker could not be cleared away'))
      .finally(() => ending.delete(done))
    ending.add(done)
  }
  async function end(slot: Slot, reason: string): Promise<void> {
    const { folder, doors } = await slot.laid
    const start = performance.now()
    const isBusy = () => slot.calls > 0 || (slot.worker && !slot.worker.ended && !slot.worker.idle)
    while (isBusy() && !closed) {
      if (performance.now() - start > 400_000) break
      await new Promise((resolve) => setTimeout(resolve, 50).unref())
    }
    await slot.worker?.end(reason)
    await clear({ folder, doors })
  }
  async function clear({ folder, doors }: Pick<Laid, 'folder' | 'doors'>): Promise<void> {
    for (const door of doors) door.close()
    const { folders } = await runtime()
    await folders.drop(folder)
  }

  function makeRoom(): void {
    const living = [...slots.values()].filter(({ worker }) => worker && !worker.ended)
    if (living.length < max) return
    const resting = living.filter(({ worker }) => worker?.idle)
    const since = ({ worker }: Slot) => worker?.restingSince ?? 0
    const [oldest] = resting.sort((a, b) => since(a) - since(b))
    if (oldest) retire(oldest, 'room for others')
  }

  async function programOf(
    { folder: laid, user, entrypoint }: Laid,
    { ref, environment }: Pick<Call, 'ref' | 'environment'>,
  ) {
    const [{ deno, folders }, denied] = await Promise.all([runtime(), network.denied()])
    if (closed) throw new Fault('BOOT_ERROR')
    const { memoryMb } = limits
    return { deno, folders, laid, user, entrypoint, ref, memoryMb, denied, environment }
  }

  /** The worker of a slot, once it listens. @throws Fault */
  async function workerOf(slot: Slot, call: Call): Promise<Worker> {
    const laid = await slot.laid
    if (closed) throw new Fault('BOOT_ERROR')
    if (!slot.worker || slot.worker.ended) {
      makeRoom()
      const program = await programOf(laid, call)
      // Somebody else may have started it meanwhile.
      if (!slot.worker || slot.worker.ended) {
        const worker = startWorker(
          program,
          limits,
          (output) => note(call.ref, eventOf(call, worker.executionId, output)),
          (usage) => options.measure?.(call.ref, call.served.id, usage),
        )
        slot.worker = worker
      }
    }
    const { worker } = slot
    await worker.ready
    return worker
  }

  const reap = setInterval(
    () => {
      const now = performance.now()
      for (const { worker } of slots.values()) {
        if (!worker || worker.ended) continue
        const resting = now - worker.restingSince
        const forgotten = resting > (limits.wallMs ?? 400_000)
        if (
          (worker.idle && resting > limits.idleMs) ||
          (!worker.idle && forgotten && quiet(worker))
        )
          void worker.end('idle')
      }
    },
    Math.min(1000, limits.idleMs / 4),
  )
  reap.unref()

  return {
    /** Lets a call have its worker, which listens, and stays until the call has ended. @throws Fault */
    async use<T>(call: Call, work: (worker: Worker) => Promise<T>): Promise<T> {
      const slot = slotOf(call)
      slot.calls += 1
      try {
        return await work(await workerOf(slot, call))
      } finally {
        slot.calls -= 1
      }
    },
    /** Starts code that is no version yet, and ends it again. Answers with its output when it did not come to listen. */
    async tryOut(
      call: Pick<Call, 'ref' | 'environment'>,
      code: FunctionCode,
    ): Promise<string | undefined> {
      const laid = await lay(call.ref, () => Promise.resolve(code))
      try {
        let output = ''
        const worker = startWorker(
          await programOf(laid, call),
          limits,
          ({ type, level, message }) => {
            if (type === 'Boot' && level === 'error') output = message
          },
          () => undefined,
        )
        const failed = await worker.ready.then(
          () => false,
          () => true,
        )
        await worker.end('it was tried')
        return failed ? output : undefined
      } finally {
        await clear(laid)
      }
    },
    /** Ends all workers of a project that were there before a restart: idle ones now, others when their calls have ended. */
    restart(ref: string, restarted: string | undefined): void {
      for (const slot of slots.values())
        if (slot.ref === ref && slot.restarted !== restarted) retire(slot, 'restarted')
    },
    /** Ends what the project has no more. */
    keepOnly(ref: string, versionIds: ReadonlySet<string>): void {
      for (const slot of slots.values()) {
        if (slot.ref === ref && !versionIds.has(slot.versionId)) retire(slot, 'replaced')
      }
    },
    async close(): Promise<void> {
      closed = true
      clearInterval(reap)
      for (const slot of slots.values()) retire(slot, 'the platform stops')
      await Promise.all(ending)
      const ready = await prepared?.catch(() => undefined)
      await ready?.folders.close()
    },
  }
}
const keys = new WeakMap<Call['environment'], string>()
/** Secrets are part of what a worker is: with others, the next call finds another one. Worked out once for each environment. */
function keyOf(versionId: string, environment: Call['environment']): string {
  const known = keys.get(environment)
  if (known !== undefined) return known
  const text = `${versionId}\n${JSON.stringify(environment)}`
  const key = createHash('sha256').update(text).digest('hex')
  keys.set(environment, key)
  return key
}
export type Workers = ReturnType<typeof createWorkers>

/** No request runs: what keeps it is something that it wanted to finish behind one. */
const quiet = (worker: Worker) => worker.requests === 0
