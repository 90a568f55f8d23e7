import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LogFiles } from '#kit/log-files'
import { passOn } from '../logs/pass-on.ts'
import { keepOutput } from '../logs/program-logs.ts'

export type Child = { name: string; ready: Promise<void>; stop(deadlineMs: number): Promise<void> }

type Options = {
  /** What it is called in the log; unlike its program where there are several. */
  name: string
  /** File name of the program beside this one; the name unless told. */
  program?: string
  environment: Record<string, string | undefined>
  onCrash: (line: string) => void
  /** Hears when the program serves, and before it ends in good order: nobody new is to come to it then. */
  onServing?: (serves: boolean) => void
  /** Where what it writes is kept, beside this program's own output. */
  files: Pick<LogFiles, 'write'>
}

/** Milliseconds before a crashed program is started again: doubles up to the last. */
const waits = [100, 250, 500, 1000, 2000]
/** A program that ran this long was well; its next crash is a first one. */
const wellAfterMs = 20_000

/**
 * Runs a program beside this one and starts it again when it crashes. It gets `ready` from the child's own message; the
 * child ends by itself when this process disappears, because its message channel breaks.
 */
export function keepRunning({
  name,
  program = name,
  environment,
  onCrash,
  onServing = () => undefined,
  files,
}: Options): Child {
  const file = fileURLToPath(new URL(`./${program}.js`, import.meta.url))
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let crashes = 0
  let wasReady = false
  let becomeReady: () => void
  let giveUp: (reason: Error) => void
  const ready = new Promise<void>((resolve, reject) => {
    becomeReady = resolve
    giveUp = reject
  })

  const launch = () => {
    const since = performance.now()
    const launched = fork(file, [], {
      env: { ...process.env, ...environment },
      stdio: ['inherit', 'pipe', 'pipe', 'ipc'],
    })
    child = launched
    for (const [from, to] of [
      [launched.stdout, process.stdout],
      [launched.stderr, process.stderr],
    ] as const) {
      const kept = keepOutput(name, files)
      if (from) passOn(from, to, kept.write)
      launched.on('close', kept.end)
    }
    launched.on('message', (message) => {
      if (message === 'ending') {
        onServing(false)
        // One that is gone by now needs no answer.
        launched.send('left out', () => undefined)
      }
      if (message !== 'ready') return
      wasReady = true
      onServing(true)
      becomeReady()
    })
    launched.on('exit', (code, signal) => {
      child = undefined
      if (stopping) return
      // A program that could not even start once has said why; trying again would only repeat it.
      if (!wasReady) return giveUp(new Error(`${name} could not start`))
      crashes = performance.now() - since > wellAfterMs ? 1 : crashes + 1
      onCrash(`${name} ended (${signal ?? code}) and is started again`)
      timer = setTimeout(launch, waits[Math.min(crashes, waits.length) - 1])
    })
  }
  launch()

  return {
    name,
    ready,
    async stop(deadlineMs) {
      stopping = true
      clearTimeout(timer)
      const running = child
      if (!running || running.exitCode !== null) return
      const gone = new Promise<void>((resolve) => running.once('exit', () => resolve()))
      running.kill('SIGTERM')
      const force = setTimeout(() => running.kill('SIGKILL'), deadlineMs)
      await gone
      clearTimeout(force)
    },
  }
}
