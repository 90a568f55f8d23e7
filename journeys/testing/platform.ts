import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { root } from '#kit/root'
import { databasePortRange, freePort } from '#kit/testing/free-port'

/** What a journey needs to know of a platform that it neither starts nor stops. */
export type Place = {
  url: string
  ports: Ports
  home: string
  /** Opens the endpoints of whoever runs the platform. */
  operatorToken: string
  /** The file that holds what it has said. */
  log: string
}

export type Platform = Place & {
  /** Everything it has said so far on its standard and error output. */
  output: () => string
  process: ChildProcess
  /** Ends it as Ctrl-C does; returns the milliseconds that took. */
  stop(): Promise<number>
  /** Ends it and removes its home. */
  dispose(): Promise<void>
}

export type Ports = { port: number; projectPort: number }

type Options = {
  home?: string
  /** Those of an earlier start, so that its addresses and tokens stay good. */
  ports?: Ports
  environment?: Record<string, string>
  /** Runs it as another user; only root can. */
  uid?: number
  /** In so many control planes and data planes, as `npm run fleet` does. */
  fleet?: { control: number; data: number }
}

/** Names the folder that homes are made in, where it is not the one for temporary files. */
export const homesVariable = 'PLINTH_TEST_HOMES'

/** An empty home that the users of the database servers can pass through. */
export async function newHome(): Promise<string> {
  const home = await mkdtemp(join(process.env[homesVariable] ?? tmpdir(), 'plinth-home-'))
  await chmod(home, 0o711)
  return home
}

/** Names the stopped home that platforms of tests begin with; bench scripts, where it is not set, begin with nothing. */
export const seedVariable = 'PLINTH_TEST_SEED'

async function seededHome(): Promise<string> {
  const home = await newHome()
  const seed = process.env[seedVariable]
  // Node copies without owners, and each cluster belongs to a user of its own.
  if (seed) await promisify(execFile)('cp', ['-a', `${seed}/.`, home])
  return home
}

const tokens = new Map<string, string>()

/** The same for every start of a home: what was served before a stop is served after it. */
function tokenOf(home: string): string {
  const token = tokens.get(home) ?? randomBytes(32).toString('hex')
  tokens.set(home, token)
  return token
}

const databasePorts = new Map<string, string>()

/** The same for every start of a home: projects keep their ports. */
function databasePortsOf(home: string): string {
  const { low, high } = databasePortRange()
  const ports = databasePorts.get(home) ?? `${low}-${high}`
  databasePorts.set(home, ports)
  return ports
}

const programOf = (fleet: Options['fleet']): string[] =>
  fleet
    ? [join(root, 'dist/server/fleet.js'), `--control=${fleet.control}`, `--data=${fleet.data}`]
    : [join(root, 'dist/server/all.js')]

/** Runs the built platform as `npm start` does and waits for its ready line. */
export async function startPlatform(options: Options = {}): Promise<Platform> {
  const home = options.home ?? (await (options.uid === undefined ? seededHome() : newHome()))
  if (options.uid !== undefined) await chown(home, options.uid, options.uid)
  const ports = options.ports ?? { port: await freePort(), projectPort: await freePort() }
  const pooler = { session: await freePort(), transaction: await freePort() }
  const operatorToken = options.environment?.['PLINTH_INTERNAL_TOKEN'] ?? tokenOf(home)
  const logs = join(root, 'test-output/platforms')
  mkdirSync(logs, { recursive: true })
  const log = join(logs, `${basename(home)}.log`)
  const written = createWriteStream(log, { flags: 'a' })
  const lines: string[] = []
  const child = spawn(process.execPath, ['--enable-source-maps', ...programOf(options.fleet)], {
    cwd: tmpdir(),
    // The channel carries nothing: a platform ends when the tests that started it have gone, however they went.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(ports.port),
      PROJECT_PORT: String(ports.projectPort),
      PLINTH_HOME: home,
      PLINTH_INTERNAL_TOKEN: operatorToken,
      // Several platforms run beside each other.
      PLINTH_POOLER_SESSION_PORT: String(pooler.session),
      PLINTH_POOLER_TRANSACTION_PORT: String(pooler.transaction),
      PLINTH_DATABASE_PORTS: databasePortsOf(home),
      // Who tidies up leaves nothing; journeys about deleting choose otherwise.
      PLINTH_TRASH_DAYS: '0',
      ...options.environment,
    },
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  })
  child.channel?.unref()
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('Nothing says what the platform says')
  const ready = new Promise<void>((resolve, reject) => {
    const hear = (line: string) => {
      lines.push(line)
      written.write(`${line}\n`)
      if (line.startsWith('ready ')) resolve()
    }
    createInterface({ input: stdout }).on('line', hear)
    createInterface({ input: stderr }).on('line', hear)
    child.once('exit', (code) => reject(new Error(`ended with ${code}:\n${lines.join('\n')}`)))
  })
  await ready.catch(async (error: unknown) => {
    if (options.home === undefined) await rm(home, { recursive: true, force: true })
    throw error
  })

  const platform: Platform = {
    url: `http://localhost:${ports.port}`,
    ports,
    home,
    operatorToken,
    log,
    output: () => lines.join('\n'),
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return 0
      const since = Date.now()
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await gone
      return Date.now() - since
    },
    async dispose() {
      await platform.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
  return platform
}
