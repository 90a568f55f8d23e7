import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { root } from '#kit/root'
import { freePort } from '#kit/testing/free-port'

export type Platform = {
  url: string
  ports: Ports
  home: string
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
}

/** An empty home that the users of the database servers can pass through. */
export async function newHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'plinth-home-'))
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

/** Runs the built platform as `npm start` does and waits for its ready line. */
export async function startPlatform(options: Options = {}): Promise<Platform> {
  const home = options.home ?? (await (options.uid === undefined ? seededHome() : newHome()))
  if (options.uid !== undefined) await chown(home, options.uid, options.uid)
  const ports = options.ports ?? { port: await freePort(), projectPort: await freePort() }
  const lines: string[] = []
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', join(root, 'dist/server/all.js')],
    {
      cwd: tmpdir(),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        PORT: String(ports.port),
        PROJECT_PORT: String(ports.projectPort),
        PLINTH_HOME: home,
        ...options.environment,
      },
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    },
  )
  const ready = new Promise<void>((resolve, reject) => {
    const hear = (line: string) => {
      lines.push(line)
      if (line.startsWith('ready ')) resolve()
    }
    createInterface({ input: child.stdout }).on('line', hear)
    createInterface({ input: child.stderr }).on('line', hear)
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
