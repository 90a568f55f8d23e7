import { existsSync } from 'node:fs'
import { createLog, type Log } from '#kit/log'
import { openLogFiles, type LogFiles } from '#kit/log-files'
import type { Config } from '#kit/config'
import { createEnding } from './ending.ts'
import { programLogs } from '../logs/folder.ts'
import { keepOutput } from '../logs/program-logs.ts'
import { misspelt } from '../misspelt.ts'
import { homeProblem, preflight, spaceProblem } from '../preflight.ts'
import { configOrExit, exitWith } from '../program.ts'
import { holdHome } from '../single.ts'
import { unfinishedRestore } from '../state/layout.ts'

/** What a program has that starts others on a home of its own. */
export type Launcher = {
  config: Config
  ending: ReturnType<typeof createEnding>
  /** Where what the programs write is kept. */
  files: LogFiles
  log: Log
  /** Milliseconds since whoever started this began. */
  sinceStart(): number
  /** A line for the person who started this. */
  say(line: string): void
  /** A line about what is wrong. */
  complain(line: string): void
  /** Ends everything, and this process with that code. */
  end(code: number): Promise<void>
}

/**
 * Holds the home, so that no other process starts programs on it, and ends what `start` has begun when this process is told to end,
 * or whoever launched it has gone. Ends with one line for each thing that keeps it from starting.
 */
export async function launch(start: (launcher: Launcher) => Promise<void>): Promise<void> {
  const started = Number(process.env['PLINTH_STARTED_AT'] ?? Date.now())
  const config = configOrExit()
  const complainAloud = (line: string) => process.stderr.write(`plinth: ${line}\n`)
  // Nothing is written before this process holds the folder.
  const files = openLogFiles({ folder: programLogs(config.home), complain: complainAloud })
  const own = keepOutput('launcher', files)
  let holdsHome = false
  const log = createLog('launcher', process.env['LOG_LEVEL'] ?? 'warn', {
    write(line) {
      process.stderr.write(line)
      if (holdsHome) own.write(Buffer.from(line))
    },
  })
  function complain(line: string): void {
    complainAloud(line)
    if (holdsHome) own.write(Buffer.from(`${line}\n`))
  }
  function endIfAny(problems: readonly string[]): void {
    for (const line of problems) complain(line)
    if (problems.length > 0) process.exit(1)
  }
  for (const line of misspelt(process.env)) complain(line)
  const noHome = homeProblem(config.home) ?? spaceProblem(config.home)
  if (noHome !== undefined) endIfAny([noHome, ...(await preflight(config))])
  if (!(await holdHome(config.home))) exitWith(`Plinth already runs on ${config.home}`)
  holdsHome = true
  if (existsSync(unfinishedRestore(config.home))) {
    exitWith(`a restore onto ${config.home} was cut short: remove what is there and restore again`)
  }
  endIfAny(await preflight(config))

  const ending = createEnding(complain)
  async function end(code: number): Promise<void> {
    if (ending.hasBegun) return
    const isClean = await ending.run()
    process.exit(isClean ? code : 1)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void end(0))
  // Whoever launched this has gone without a word.
  if (process.send) process.on('disconnect', () => void end(1))
  // Who read what this says may be gone when it ends.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

  try {
    await start({
      config,
      ending,
      files,
      log,
      sinceStart: () => Date.now() - started,
      say: (line) => process.stdout.write(`${line}\n`),
      complain,
      end,
    })
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
    await end(1)
  }
}
