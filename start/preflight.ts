import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isPortFree } from '#kit/network/free-port'
import { makeFolders } from '#kit/make-folders'
import { parseMasterKey } from '#kit/secrets'

type Settings = {
  masterKey?: string | undefined
  host: string
  port: number
  projectPort: number
  https?: { port: number; challengePort?: number | undefined } | undefined
}

/** What keeps the platform from listening where it is told to, and from reading what it has sealed: a line each. */
export async function preflight({
  masterKey,
  host,
  port,
  projectPort,
  https,
}: Settings): Promise<string[]> {
  const same = port === projectPort && port !== 0
  const first = same
    ? `PORT and PROJECT_PORT are both ${port}; set one of them to another port`
    : await listenProblem(host, 'PORT', port)
  // What is wrong with the address is said once.
  const second =
    same || first?.startsWith('HOST')
      ? undefined
      : await listenProblem(host, 'PROJECT_PORT', projectPort)
  const lines = [keyProblem(masterKey), first, second]
  if (https && !first?.startsWith('HOST')) {
    const taken = new Map([
      [port, 'PORT'],
      [projectPort, 'PROJECT_PORT'],
    ])
    for (const [name, own] of [
      ['PLINTH_HTTPS_PORT', https.port],
      ['PLINTH_HTTP_CHALLENGE_PORT', https.challengePort],
    ] as const) {
      if (own === undefined) continue
      const other = taken.get(own)
      lines.push(
        other === undefined
          ? await listenProblem(host, name, own)
          : `${other} and ${name} are both ${own}; set one of them to another port`,
      )
      taken.set(own, name)
    }
  }
  return lines.filter((line) => line !== undefined)
}

/** Makes the home where it is missing. Says in one line why it cannot be one. */
export function homeProblem(home: string): string | undefined {
  const isThere = existsSync(home)
  try {
    makeFolders(home, 0o755)
    if (!statSync(home).isDirectory()) return `PLINTH_HOME: ${home} is a file, not a folder`
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    if (code === 'ENOTDIR') return `PLINTH_HOME: ${home} is below a file`
    return `PLINTH_HOME: ${home} cannot be ${isThere ? 'written to' : 'made'} (${code})`
  }
}

const megabyte = 1024 ** 2
/** Bytes that a new home needs: the programs of Postgres, two clusters and a first project (154 MB before that project). */
const newHomeBytes = 400 * megabyte
/** Bytes without which no database server starts: a segment of its log, and its lock files. */
const startBytes = 8 * megabyte

/** Says in one line that there is too little space to start, before some program fails in the midst of something. */
export function spaceProblem(home: string, free = freeAt(home)): string | undefined {
  const has = `the disk of ${home} has ${Math.floor(free / megabyte)} MB free`
  if (!existsSync(join(home, 'clusters')))
    return free < newHomeBytes
      ? `PLINTH_HOME: ${has}, and a new home needs ${newHomeBytes / megabyte} MB`
      : undefined
  // It is given up as the first thing of the start.
  const reserve = existsSync(join(home, 'clusters/platform/ballast'))
  return free < startBytes && !reserve
    ? `PLINTH_HOME: ${has}. Make space on it and start again`
    : undefined
}

function freeAt(home: string): number {
  const { bavail, bsize } = statfsSync(home)
  return bavail * bsize
}

function keyProblem(masterKey: string | undefined): string | undefined {
  if (masterKey === undefined) return undefined
  try {
    parseMasterKey(masterKey, 'PLINTH_MASTER_KEY')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** `name`: the setting that says the port. */
async function listenProblem(
  host: string,
  name: string,
  port: number,
): Promise<string | undefined> {
  try {
    return (await isPortFree(host, port))
      ? undefined
      : `port ${port} is in use; end what listens there or set ${name} to another port`
  } catch (error) {
    switch (codeOf(error) ?? '') {
      case 'EACCES':
        return `${name}: port ${port} needs more rights; ${rightsFor(name)}`
      case 'EADDRNOTAVAIL':
      case 'EAFNOSUPPORT':
        return `HOST: ${host} is not an address of this machine`
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return `HOST: cannot resolve the name ${host}`
      default:
        throw error
    }
  }
}

const rightsFor = (name: string) =>
  name.startsWith('PLINTH_')
    ? 'give them with AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit of systemd, or take one from 1024 on'
    : 'take one from 1024 on, or put a proxy in front'

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined
