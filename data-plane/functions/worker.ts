import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { ChildProcess } from 'node:child_process'
import type { Pool } from 'undici'
import { signal } from '#kit/postgres/processes'
import { connectionsTo } from './exchange.ts'
import { eachLine, controlLineOf } from './control-lines.ts'
import { Fault } from './faults.ts'
import { ownPaths } from './own-paths.ts'
import { usageOf, type Usage } from '#kit/process-usage'
import { exceeded, type Running, type WorkerLimits } from './limits.ts'
import { socketOf, startProgram, type Program } from './worker-process.ts'

export type Output = {
  type: 'Boot' | 'Log' | 'Shutdown'
  level: Level
  message: string
  /** Of the request that was being answered, where that is known. */
  requestId?: string | undefined
}
type Level = 'debug' | 'log' | 'info' | 'warning' | 'error'

export type Worker = {
  /** Of this process; another one of the same version has another one. */
  executionId: string
  socketPath: string
  connections: Pool
  /** Rejects with a Fault when it does not come to listen. */
  ready: Promise<void>
  readonly ended: boolean
  /** Resolves when it has ended. */
  gone: Promise<void>
  /** Why requests that were running when it ended have failed. */
  fault(): Fault
  /** Counts a request; call what it returns when that is over. `onEnd` hears when the worker ends before. */
  begin(onEnd: () => void): () => void
  /** No requests run, and nothing that it wanted to finish behind one. */
  readonly idle: boolean
  /** Requests that are running. */
  readonly requests: number
  /** When the last request ended. */
  readonly restingSince: number
  /** Lets it say goodbye, and ends it for good two seconds later. */
  end(reason: string): Promise<void>
}

const watchMs = 50
/** Lines that one worker may say in ten seconds; the others are counted only. */
const maxLines = 1000

/** Starts a worker and watches over it until it ends. */
export function startWorker(
  program: Omit<Program, 'executionId'>,
  limits: WorkerLimits,
  notify: (output: Output) => void,
  /** Hears again and again what it took of the processors since the last time, and what memory it has. */
  used: (usage: Usage) => void,
): Worker {
  const executionId = randomUUID()
  const startedAt = performance.now()
  const child = startProgram({ ...program, executionId })
  const socketPath = socketOf(program.laid, executionId)
  const running = new Map<Running, () => void>()
  const connections = connectionsTo(socketPath)
  let pending = 0
  let finished = 0
  let cpuMs = 0
  let restingSince = startedAt
  let isReady = false
  let why: Fault | undefined
  let reason = ''
  let failure = ''
  let ended = false

  const shown = ownPaths({ ...program.laid, bootstrap: program.folders.bootstrap })
  const say = (output: Output) => notify({ ...output, message: shown(output.message) })
  let lines = 0
  const refill = setInterval(() => (lines = 0), 10_000)
  refill.unref()
  function log(level: Level, message: string, requestId?: string): void {
    lines += 1
    if (lines > maxLines) return
    const text = lines === maxLines ? 'Too many lines: the next ones are left out' : message
    say({ type: 'Log', level, message: text.slice(0, 10_000), requestId })
  }

  function kill(because: string, fault: Fault): void {
    why ??= fault
    reason ||= because
    killGroup(child)
  }

  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => kill('did not listen in time', new Fault('BOOT_ERROR')),
      limits.bootMs,
    )
    eachLine(child.stdout ?? neverOf('stdout'), (line) => {
      const control = controlLineOf(line)
      if (!control) return line === '' ? undefined : log('info', line)
      if (control.ready && !isReady) {
        isReady = true
        clearTimeout(late)
        say({ type: 'Boot', level: 'log', message: `booted (time: ${since(startedAt)}ms)` })
        resolve()
      }
      if (control.failed !== undefined) failure = control.failed
      if (control.pending !== undefined) {
        pending = Math.max(0, control.pending)
        restingSince = performance.now()
      }
      if (control.log !== undefined)
        log(levels[control.level ?? 'log'], control.log, control.request)
      return undefined
    })
    let lastError = ''
    eachLine(child.stderr ?? neverOf('stderr'), (line) => {
      if (line === '') return
      if (
        /JavaScript (?:heap )?out of memory|Fatal JavaScript invalid size error|heap limit/.test(
          line,
        )
      ) {
        why = new Fault('WORKER_LIMIT')
        reason = 'memory limit'
      }
      lastError = line
      log('error', line)
    })
    // Whoever wrote to it as it ended does not matter.
    child.stdin?.on('error', () => undefined)
    child.once('error', (error) => {
      failure = error.message
      finish()
    })
    child.once('close', (code, name) => {
      if (!isReady) failure ||= lastError
      reason ||= name ? `signal ${name}` : `exit ${code}`
      finish()
    })
    function finish(): void {
      if (ended) return
      ended = true
      clearTimeout(late)
      clearInterval(watch)
      clearInterval(refill)
      // What it may have left behind is of its group.
      killGroup(child)
      void connections.destroy()
      if (!isReady) {
        say({ type: 'Boot', level: 'error', message: `worker boot error: ${failure || reason}` })
        reject(new Fault('BOOT_ERROR'))
      } else {
        const level = why ? 'error' : 'log'
        say({ type: 'Shutdown', level, message: `shutdown (${reason})` })
      }
      for (const onEnd of running.values()) onEnd()
      gone()
    }
  })
  // Everybody who calls it waits for this too.
  ready.catch(() => undefined)
  let gone: () => void = () => undefined
  const goneAway = new Promise<void>((resolve) => (gone = resolve))

  let looking = false
  const watch = setInterval(() => {
    if (looking || child.pid === undefined) return
    looking = true
    void usageOf(child.pid).then((usage) => {
      looking = false
      if (!usage || ended) return
      used({ ...usage, cpuMs: usage.cpuMs - cpuMs })
      cpuMs = usage.cpuMs
      if (running.size === 0 && isReady) rest.cpuAt ??= cpuMs
      const asked = running.size > 0 ? [...running.keys()] : []
      const resting = rest.cpuAt === undefined ? [] : [{ cpuAt: rest.cpuAt, finishedAt: finished }]
      const over = exceeded(limits, usage, [...asked, ...resting], finished)
      if (over === 'memory') kill('memory limit', new Fault('WORKER_LIMIT'))
      if (over === 'cpu') kill('CPU time limit', new Fault('WORKER_LIMIT'))
    })
  }, watchMs)
  watch.unref()
  const rest: { cpuAt: number | undefined } = { cpuAt: undefined }

  return {
    executionId,
    socketPath,
    gone: goneAway,
    connections,
    ready,
    get ended() {
      return ended
    },
    fault: () => why ?? new Fault('WORKER_ERROR'),
    begin(onEnd) {
      const request: Running = { cpuAt: cpuMs, finishedAt: finished }
      running.set(request, onEnd)
      rest.cpuAt = undefined
      return () => {
        if (!running.delete(request)) return
        finished += 1
        restingSince = performance.now()
      }
    },
    get idle() {
      return running.size === 0 && pending === 0
    },
    get requests() {
      return running.size
    },
    get restingSince() {
      return restingSince
    },
    async end(because) {
      if (ended) return
      reason ||= because
      child.stdin?.end('end\n')
      const force = setTimeout(() => killGroup(child), 2000)
      await goneAway
      clearTimeout(force)
      await rm(socketPath, { force: true })
    },
  }
}

const levels = {
  debug: 'debug',
  trace: 'debug',
  log: 'log',
  info: 'info',
  warn: 'warning',
  error: 'error',
} as const

const since = (at: number) => Math.round(performance.now() - at)

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) signal(-pid, 'SIGKILL')
}

function neverOf(name: string): never {
  throw new Error(`A worker was started without ${name}`)
}
