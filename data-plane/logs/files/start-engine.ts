import { spawn, type ChildProcess } from 'node:child_process'
import type { Log } from '#kit/log'
import type { OsUser } from '#kit/postgres/os-user'
import { usageOf } from '#kit/process-usage'
import {
  FromEngine,
  type Ask,
  type Failure,
  type Pack,
  type Query,
  type ToEngine,
} from '../engine/protocol.ts'

/** How the child is started. */
export type EngineProgram = {
  /** A file of JavaScript: what `start/log-engine.ts` was built into. */
  program: string
  /** The node that runs it; the one of this process unless told. */
  node?: string
}

/** The engine cannot be loaded on this machine. */
export class EngineMissing extends Error {}

/** A piece of work that did not end well. `slow` and `memory` also where the child had to be killed for it. */
export class EngineFailure extends Error {
  readonly failure: Failure | 'slow' | 'aborted' | 'crashed'

  constructor(failure: EngineFailure['failure'], message: string) {
    super(message)
    this.failure = failure
  }
}

type Options = {
  engine: EngineProgram
  /** Where it is; it is given names relative to this. */
  folder: string
  user?: OsUser | undefined
  role: 'reader' | 'packer'
  memoryMb: number
  limits: { processMb: number; bootMs: number; graceMs: number }
  log: Log
}
export type Work = Omit<Ask, 'id'> | Omit<Pack, 'id'> | Omit<Query, 'id'>
export type Answer = Exclude<FromEngine, { ready: true } | { missing: string }>
type Running = { id: number; done: (answer: Answer) => void; fail: (error: EngineFailure) => void }

/** No core files, no files to write where it only reads, and the first to go when the machine is out of memory. */
const shellOf = (role: Options['role']) =>
  `ulimit -c 0; ulimit -n 4096; ${role === 'reader' ? 'ulimit -f 0; ' : ''}` +
  `echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec ${role === 'packer' ? 'nice -n 19 ' : ''}"$@"`

/** Milliseconds between two looks at the memory of a child that works. */
const lookMs = 100

/**
 * Starts a child that has nothing of ours: no setting, no secret, no open file, and after its start not our user either. It
 * is given one piece of work at a time. Throws EngineMissing when there is no engine.
 */
export async function startEngine(options: Options) {
  const { engine, folder, user, role, memoryMb, limits, log } = options
  const words = [engine.node ?? process.execPath, '--max-old-space-size=128', engine.program]
  const child = spawn('/bin/sh', ['-c', shellOf(role), 'sh', ...words], {
    cwd: folder,
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-2000)
  })
  const send = (message: ToEngine) => {
    // It may end at any moment; that is heard by `exit`.
    child.send(message, () => undefined)
  }
  let running: Running | undefined
  let killedFor: EngineFailure | undefined
  let next = 0
  const ended = new Promise<void>((done) => {
    child.once('close', () => {
      const crash = () => new EngineFailure('crashed', `The engine of logs ended: ${errors}`)
      running?.fail(killedFor ?? crash())
      done()
    })
  })
  // An error of the child is always followed by its end, or it has never begun.
  child.on('error', () => undefined)
  function kill(why: EngineFailure): void {
    killedFor ??= why
    child.kill('SIGKILL')
  }

  child.on('message', (text) => {
    const said = FromEngine.safeParse(text).data
    if (!said || !('id' in said) || said.id !== running?.id) return
    running.done(said)
  })
  await begin(child, limits.bootMs, () => errors, {
    kind: 'begin',
    memoryMb,
    user: user && { uid: user.uid, gid: user.gid },
  })
  // It holds up nobody's end, unless somebody waits for its answer.
  const holdUp = (isWorking: boolean) => {
    if (isWorking) child.channel?.ref()
    else child.channel?.unref()
  }
  child.unref()
  holdUp(false)

  return {
    pid: child.pid,
    get isUp(): boolean {
      return child.exitCode === null && child.signalCode === null && killedFor === undefined
    },
    /** Does one piece of work. @throws EngineFailure */
    async run(work: Work, maxMs: number, signal?: AbortSignal): Promise<Answer> {
      if (running) throw new Error('An engine does one thing at a time')
      const id = (next += 1)
      let stopped: 'slow' | 'aborted' | undefined
      let grace: NodeJS.Timeout | undefined
      const stop = (why: 'slow' | 'aborted') => {
        if (stopped) return
        stopped = why
        send({ kind: 'interrupt' })
        // Its own interrupt is no limit: some of what it does never looks.
        grace = setTimeout(() => kill(new EngineFailure(why, 'It did not stop')), limits.graceMs)
      }
      const abort = () => stop('aborted')
      const deadline = setTimeout(() => stop('slow'), maxMs)
      const look = setInterval(() => void watch(), lookMs)
      const watch = async () => {
        const usage = child.pid === undefined ? undefined : await usageOf(child.pid)
        if (usage && usage.memoryMb > limits.processMb && running?.id === id)
          kill(new EngineFailure('memory', `It has ${Math.round(usage.memoryMb)} MB`))
      }
      holdUp(true)
      try {
        running = { id, done: () => undefined, fail: () => undefined }
        // One that has grown by what it did before does nothing more.
        await watch()
        const answer = await new Promise<Answer>((done, fail) => {
          running = { id, done, fail }
          signal?.addEventListener('abort', abort, { once: true })
          if (signal?.aborted) abort()
          if (!this.isUp) fail(killedFor ?? new EngineFailure('crashed', 'It has ended'))
          // Work as the protocol has it, and its number.
          send({ ...work, id } as Ask | Pack)
        })
        if (!('failure' in answer)) return answer
        const { failure, message } = answer
        throw new EngineFailure(failure === 'interrupted' ? (stopped ?? failure) : failure, message)
      } catch (error) {
        if (error instanceof EngineFailure && error.failure === 'crashed')
          log.warn({ err: error, role }, 'the engine of logs has crashed')
        throw error
      } finally {
        running = undefined
        holdUp(false)
        clearTimeout(deadline)
        clearTimeout(grace)
        clearInterval(look)
        signal?.removeEventListener('abort', abort)
      }
    },
    /** Ends it at once: it has nothing that could be lost. */
    async end(): Promise<void> {
      child.ref()
      kill(new EngineFailure('crashed', 'It was ended'))
      await ended
    },
  }
}
export type Engine = Awaited<ReturnType<typeof startEngine>>

/** Waits until the child has loaded its engine and is who it is to be. */
async function begin(
  child: ChildProcess,
  bootMs: number,
  errors: () => string,
  message: ToEngine,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((done, fail) => {
      timer = setTimeout(() => fail(new Error('The engine of logs does not come up')), bootMs)
      child.once('error', fail)
      child.once('exit', () => fail(new Error(`The engine of logs did not start: ${errors()}`)))
      child.once('message', (text) => {
        const said = FromEngine.safeParse(text).data
        if (said && 'missing' in said) fail(new EngineMissing(said.missing))
        else done()
      })
      child.send(message, () => undefined)
    })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
  }
}
