import { copyFile, mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { loadAuthority } from '#data-plane/postgres-gateway/tls/authority'
import { newSecret } from '#kit/ids'
import { loadMasterKey } from '#kit/secrets'
import { keepRunning, type Child } from './launcher/children.ts'
import { createBackends } from './fleet/backends.ts'
import { balanceHttp, balanceTcp } from './fleet/balancer.ts'
import { fleetSize } from './fleet/options.ts'
import { freePorts } from '#kit/network/free-port'
import { layFoundation } from './launcher/foundation.ts'
import { launch, type Launcher } from './launcher/launch.ts'
import { exitWith } from './program.ts'

/**
 * The platform on this machine in several control planes and data planes, as it runs on many: each has a home of its own and could be
 * killed at any time. One agent runs the servers of projects, and a balancer in this process stands before all. For development
 * and tests.
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
  // The data planes of one machine would all want the port.
  if (config.https) throw new Error('PLINTH_HTTPS_PORT: a fleet has no HTTPS of its own')
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
    PLINTH_CONTROL_PLANE: `http://127.0.0.1:${config.port}`,
    PLINTH_DATA_PLANE: `http://127.0.0.1:${config.projectPort}`,
    PLINTH_URL: config.url,
    PLINTH_PROJECT_URL: config.projectUrl,
    PLINTH_TRUSTED_PROXIES: [...config.trustedProxies, '127.0.0.1'].join(','),
    // A port of this machine that serves one project belongs to one program.
    PLINTH_LISTEN_PORTS: 'off',
    // Each may be asked for what went through any of them.
    PLINTH_LOGS: config.logs,
    ...(config.storageBucket ? {} : { PLINTH_STORAGE: config.storage }),
  }
  // Data planes have neither: they need nothing that opens every secret, or ends every server.
  const masterKey = loadMasterKey(join(config.home, 'master-key'), config.masterKey)
  const token = newSecret()
  const authority = join(config.home, 'database-authority.pem')
  await loadAuthority(authority)

  function run(
    program: string,
    name: string,
    own: Record<string, string>,
    onServing?: (serves: boolean) => void,
  ): Child {
    const environment = { ...shared, ...own }
    const child = keepRunning({
      program,
      name,
      environment,
      onCrash: complain,
      ...(onServing && { onServing }),
      files,
    })
    ending.add(name, () => child.stop(5000))
    return child
  }
  const home = async (name: string) => {
    const path = join(homes, name)
    await mkdir(path, { recursive: true, mode: 0o700 })
    return path
  }
  async function stand(ports: number[], before: typeof balanceHttp, host: string, port: number) {
    const backends = createBackends(ports)
    const { close } = await before(backends, { host, port })
    ending.add('a balancer', () => Promise.resolve(close()))
    return (own: number | undefined, serves: boolean) =>
      own === undefined ? undefined : backends.serves(own, serves)
  }

  // Who is on this machine reaches the first control plane as they do the only one (kit/network/local-socket.ts).
  const localAdmin = join(config.home, 'local-admin')
  await rm(localAdmin, { recursive: true, force: true })
  await symlink(join(homes, 'control-plane-1', 'local-admin'), localAdmin)
  const compute = run('compute', 'compute', {
    PLINTH_COMPUTE_TOKEN: token,
    PLINTH_COMPUTE_PORT: String(agent),
  })
  const controlsServe = await stand(controlPorts, balanceHttp, config.host, config.port)
  const controls: Child[] = []
  for (const [at, port] of controlPorts.entries()) {
    const name = `control-plane-${at + 1}`
    const own = {
      PLINTH_HOME: await home(name),
      PORT: String(port),
      PLINTH_MASTER_KEY: masterKey.toString('hex'),
      PLINTH_COMPUTE: `http://127.0.0.1:${agent}`,
      PLINTH_COMPUTE_TOKEN: token,
    }
    controls.push(run('control-plane', name, own, (serves) => controlsServe(port, serves)))
  }
  if (!(await areReady([compute, ...controls]))) return end(1)

  const planesServe = await stand(dataPorts, balanceHttp, config.host, config.projectPort)
  const { host } = config.pooler
  const sessionsServe =
    session === undefined ? undefined : await stand(sessionPorts, balanceTcp, host, session)
  const transactionsServe =
    transaction === undefined ? undefined : await stand(others, balanceTcp, host, transaction)
  const planes: Child[] = []
  for (const [at, port] of dataPorts.entries()) {
    const name = `data-plane-${at + 1}`
    const own = await home(name)
    // Clients trust one authority, whichever data plane they come to.
    await copyFile(authority, join(own, 'database-authority.pem'))
    const settings = {
      PLINTH_HOME: own,
      PROJECT_PORT: String(port),
      PLINTH_POOLER_HOST: '127.0.0.1',
      PLINTH_POOLER_SESSION_PORT: portOf(session, sessionPorts[at]),
      PLINTH_POOLER_TRANSACTION_PORT: portOf(transaction, others[at]),
    }
    planes.push(
      run('data-plane', name, settings, (serves) => {
        planesServe(port, serves)
        sessionsServe?.(sessionPorts[at], serves)
        transactionsServe?.(others[at], serves)
      }),
    )
  }
  if (!(await areReady(planes))) return end(1)
  say(`servers of projects: ${await foundation.held()}`)
  say(`ready ${config.url} in ${launcher.sinceStart()} ms`)
  say(`  ${size.control} control planes, ${size.data} data planes`)
  say(`  data: ${config.home}`)
  say('  stop: Ctrl-C')
}

function portOf(outer: number | undefined, own: number | undefined): string {
  return outer === undefined || own === undefined ? 'off' : String(own)
}

/** False: one could not start, and has said why on its own error output. */
function areReady(children: Child[]): Promise<boolean> {
  return Promise.all(children.map((child) => child.ready)).then(
    () => true,
    () => false,
  )
}
