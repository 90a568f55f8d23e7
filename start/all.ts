import { existsSync } from 'node:fs'
import { openContainment } from '#compute/local/bounds/containment'
import { createGuard } from '#compute/local/guard/guard'
import { stopAllServers } from '#compute/local/stop-all'
import { newSecret } from '#kit/ids'
import { createLog } from '#kit/log'
import { openLogFiles } from '#kit/log-files'
import { preparePostgres } from '#kit/postgres/runtime'
import { keepRunning } from './children.ts'
import { programLogs } from './logs/folder.ts'
import { keepOutput } from './logs/program-logs.ts'
import { createEnding } from './ending.ts'
import { startPlatformCluster } from './platform/platform-cluster.ts'
import { misspelt } from './misspelt.ts'
import { homeProblem, preflight, spaceProblem } from './preflight.ts'
import { configOrExit, exitWith } from './program.ts'
import { adminHint } from './self-hosted.ts'
import { holdHome } from './single.ts'
import { unfinishedRestore } from './state/layout.ts'

/**
 * The whole platform on this machine: its own Postgres, the control plane and the data plane, which are two processes,
 * so that a heavy project never blocks the dashboard. Prints one line when it serves.
 */
const started = Number(process.env['PLINTH_STARTED_AT'] ?? Date.now())
const config = configOrExit()
const say = (line: string) => process.stdout.write(`${line}\n`)
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
for (const line of misspelt(process.env)) complain(line)

function endIfAny(problems: readonly string[]): void {
  for (const line of problems) complain(line)
  if (problems.length > 0) process.exit(1)
}
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
  await start()
} catch (error) {
  complain(error instanceof Error ? error.message : String(error))
  await end(1)
}

/** What begins here is known to the ending before, and begins only while nobody has told this process to end. */
async function start(): Promise<void> {
  const runtime = await preparePostgres(config.home)
  if (ending.hasBegun) return
  const starting = config.platformDatabaseUrl
    ? undefined
    : startPlatformCluster(config.home, runtime, complain)
  ending.add("the platform's database", async () => {
    // One that did not start has been told of, and has left nothing.
    const begun = await starting?.catch(() => undefined)
    await begun?.stop()
  })
  ending.add('the databases of projects', () => stopAllServers(runtime, { home: config.home, log }))
  const cluster = await starting
  if (ending.hasBegun) return

  // Before anything runs in a group: what is empty is removed.
  const { rungs } = await openContainment({
    home: config.home,
    data: runtime.clusters,
    log,
  })
  const environment = {
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    PLATFORM_DATABASE_URL: cluster?.url ?? config.platformDatabaseUrl,
    PLINTH_INTERNAL_TOKEN: config.internalToken ?? newSecret(),
  }
  // The data plane ends first: its last figures, and that it goes, are for the control plane to hear.
  const children = ['control-plane', 'data-plane'].map((name) => {
    const child = keepRunning({ name, environment, onCrash: complain, files })
    ending.add(`the ${name}`, () => child.stop(3000))
    return child
  })
  try {
    await Promise.all(children.map((child) => child.ready))
  } catch {
    // The program has said why on its own error output.
    return end(1)
  }
  const hint = config.selfHosted && adminHint(config.home, config.selfHosted.adminEmail)
  if (hint) say(hint)
  const guard = await createGuard(config.home, config.databaseNetworks.ranges)
  say(`servers of projects: ${[...rungs, await guard.rung()].join(', ')}`)
  say(`ready ${config.url} in ${Date.now() - started} ms`)
  say(`  data: ${config.home}`)
  if (config.mode === 'platform') {
    say('  next: open the address and sign up, or run: npx plinth projects create')
  }
  say('  stop: Ctrl-C')
}
