import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { loadAuthority } from '#data-plane/postgres-gateway/tls/authority'
import { newSecret } from '#kit/ids'
import { loadMasterKey } from '#kit/secrets'
import { keepRunning, type Child } from './children.ts'
import { createBackends } from './fleet/backends.ts'
import { balanceHttp, balanceTcp } from './fleet/balancer.ts'
import { fleetSize } from './fleet/options.ts'
import { freePorts } from './fleet/ports.ts'
import { layFoundation } from './foundation.ts'
import { launch, type Launcher } from './launcher.ts'
import { exitWith } from './program.ts'

/**
 * The platform on this machine in several control planes and data planes, as it runs on many: each has a home of its own and could be
 * killed at any time. One agent runs the servers of projects, and a balancer in this process stands before all. For development
 * and tests; docs/scale.md.
 */
const size = sizeOrExit()
await launch(start)

function sizeOrExit() {
  try {
    return fleetSize(process.argv.slice(2))
  } catch (error) {
    exitWith(error instanceof Error ? error.message : String(error))
  }
}

async function start(launcher: Launcher): Promise<void> {
  const { config, ending, files, say, complain, end } = launcher
  if (config.selfHosted) throw new Error('PLINTH_MODE: a fleet has no self-hosted mode')
  const foundation = await layFoundation(launcher)
  if (!foundation) return
  const homes = join(config.home, 'fleet')
  const [agent = 0, ...others] = await freePorts(1 + size.control + size.data * 3)
  const controlPorts = others.splice(0, size.control)
  const dataPorts = others.splice(0, size.data)
  const sessionPorts = others.splice(0, size.data)
  const { session, transaction } = config.pooler
  const shared = {
    ...foundation.environment,
    HOST: '127.0.0.1',
    PLINTH_MASTER_KEY: loadMasterKey(join(config.home, 'master-key'), config.masterKey).toString(
      'hex',
    ),
    PLINTH_COMPUTE: `http://127.0.0.1:${agent}`,
    PLINTH_COMPUTE_TOKEN: newSecret(),
    PLINTH_COMPUTE_PORT: String(agent),
    PLINTH_CONTROL_PLANE: `http://127.0.0.1:${config.port}`,
    PLINTH_DATA_PLANE: `http://127.0.0.1:${config.projectPort}`,
    PLINTH_URL: config.url,
    PLINTH_PROJECT_URL: config.projectUrl,
    PLINTH_TRUSTED_PROXIES: [...config.trustedProxies, '127.0.0.1'].join(','),
    // A port of this machine that serves one project belongs to one program.
    PLINTH_LISTEN_PORTS: 'off',
    ...(config.storageBucket ? {} : { PLINTH_STORAGE: config.storage }),
  }
  const authority = join(config.home, 'database-authority.pem')
  await loadAuthority(authority)

  function run(program: string, name: string, own: Record<string, string>): Child {
    const environment = { ...shared, ...own }
    const child = keepRunning({ program, name, environment, onCrash: complain, files })
    ending.add(name, () => child.stop(5000))
    return child
  }
  const home = async (name: string) => {
    const path = join(homes, name)
    await mkdir(path, { recursive: true, mode: 0o700 })
    return path
  }
  const children = [run('compute', 'compute', {})]
  for (const [at, port] of controlPorts.entries()) {
    const name = `control-plane-${at + 1}`
    const own = { PLINTH_HOME: await home(name), PORT: String(port) }
    children.push(run('control-plane', name, own))
  }
  for (const [at, port] of dataPorts.entries()) {
    const name = `data-plane-${at + 1}`
    const own = await home(name)
    // Clients trust one authority, whichever data plane they come to.
    await copyFile(authority, join(own, 'database-authority.pem'))
    children.push(
      run('data-plane', name, {
        PLINTH_HOME: own,
        PROJECT_PORT: String(port),
        PLINTH_POOLER_HOST: '127.0.0.1',
        PLINTH_POOLER_SESSION_PORT:
          session === undefined ? 'off' : String(sessionPorts[at] ?? 'off'),
        PLINTH_POOLER_TRANSACTION_PORT:
          transaction === undefined ? 'off' : String(others[at] ?? 'off'),
      }),
    )
  }
  const before = [
    balanceHttp(createBackends(controlPorts), { host: config.host, port: config.port }),
    balanceHttp(createBackends(dataPorts), { host: config.host, port: config.projectPort }),
    ...[
      { at: session, ports: sessionPorts },
      { at: transaction, ports: others },
    ].flatMap(({ at, ports }) =>
      at === undefined
        ? []
        : [balanceTcp(createBackends(ports), { host: config.pooler.host, port: at })],
    ),
  ]
  for (const balancer of await Promise.all(before)) {
    ending.add('the balancer', () => Promise.resolve(balancer.close()))
  }
  try {
    await Promise.all(children.map((child) => child.ready))
  } catch {
    // The program has said why on its own error output.
    return end(1)
  }
  say(`servers of projects: ${await foundation.held()}`)
  say(`ready ${config.url} in ${launcher.sinceStart()} ms`)
  say(`  ${size.control} control planes, ${size.data} data planes`)
  say(`  data: ${config.home}`)
  say('  stop: Ctrl-C')
}
