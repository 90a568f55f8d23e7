import { mkdirSync } from 'node:fs'
import { stopAllServers } from '#compute/local/stop-all'
import { isPortFree } from '#kit/free-port'
import { newSecret } from '#kit/ids'
import { preparePostgres } from '#kit/postgres/runtime'
import { keepRunning, type Child } from './children.ts'
import { startPlatformCluster } from './platform-cluster.ts'
import { configOrExit, exitWith } from './program.ts'
import { adminHint } from './self-hosted.ts'
import { holdHome } from './single.ts'

/**
 * The whole platform on this machine: its own Postgres, the control plane and the data plane, which are two processes,
 * so that a heavy project never blocks the dashboard. Prints one line when it serves.
 */
const started = Number(process.env['PLINTH_STARTED_AT'] ?? Date.now())
const config = configOrExit()
const say = (line: string) => process.stdout.write(`${line}\n`)

mkdirSync(config.home, { recursive: true, mode: 0o755 })
if (!(await holdHome(config.home))) exitWith(`Plinth already runs on ${config.home}`)
for (const [name, port] of [
  ['PORT', config.port],
  ['PROJECT_PORT', config.projectPort],
] as const) {
  if (!(await isPortFree(config.host, port))) {
    exitWith(`port ${port} is in use; end what listens there or set ${name} to another port`)
  }
}

const runtime = await preparePostgres(config.home)
const cluster = config.platformDatabaseUrl
  ? undefined
  : await startPlatformCluster(config.home, runtime)

const environment = {
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
  PLATFORM_DATABASE_URL: cluster?.url ?? config.platformDatabaseUrl,
  PLINTH_INTERNAL_TOKEN: config.internalToken ?? newSecret(),
}
const children: Child[] = ['control-plane', 'data-plane'].map((name) =>
  keepRunning({ name, environment, onCrash: (line) => process.stderr.write(`plinth: ${line}\n`) }),
)

let ending = false
async function end(code: number): Promise<void> {
  if (ending) return
  ending = true
  await Promise.all(children.map((child) => child.stop(3000)))
  await stopAllServers(runtime)
  await cluster?.stop()
  process.exit(code)
}

process.on('SIGINT', () => void end(0))
process.on('SIGTERM', () => void end(0))

try {
  await Promise.all(children.map((child) => child.ready))
  const hint = config.selfHosted && adminHint(config.home, config.selfHosted.adminEmail)
  if (hint) say(hint)
  say(`ready ${config.url} in ${Date.now() - started} ms`)
} catch {
  // The program has said why on its own error output.
  await end(1)
}
