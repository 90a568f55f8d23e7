import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '#kit/config'
import { installationIn } from '#kit/postgres/builds/installation'
import { preflight, spaceProblem } from '../preflight.ts'
import { reasonOf, sayAbout, type Finding } from './finding.ts'

const folders = sayAbout('folders')
const disk = sayAbout('disk')
const ports = sayAbout('ports')

const megabyte = 1024 ** 2
/** With less than this free, a first project soon has no room. */
const fewBytes = 2 * 1024 * megabyte

/** The folder itself, or the nearest one above it that is there: nothing is made. */
function nearest(folder: string): string {
  let at = folder
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at)
  return at
}

function folderFinding(name: string, folder: string): Finding {
  const at = nearest(folder)
  const isThere = at === folder
  const rights = 'make it, and give it to the user that runs Plinth'
  try {
    if (!statSync(at).isDirectory())
      return folders.fail(`${name}: ${at} is a file, not a folder`, 'name another folder')
    accessSync(at, constants.R_OK | constants.W_OK | constants.X_OK)
    return folders.ok(
      isThere ? `${name}: ${folder} can be written to` : `${name}: ${folder} can be made`,
    )
  } catch (error) {
    const what = isThere ? 'cannot be written to' : `cannot be made below ${at}`
    return folders.fail(`${name}: ${folder} ${what} (${reasonOf(error)})`, rights)
  }
}

function readableFinding(name: string, path: string): Finding {
  try {
    accessSync(path, constants.R_OK)
    return folders.ok(`${name}: ${path} can be read`)
  } catch (error) {
    const todo = 'name one that the user of Plinth can read'
    return folders.fail(`${name}: ${path} cannot be read (${reasonOf(error)})`, todo)
  }
}

function diskFinding({ home, kubernetes }: Config): Finding {
  const { bavail, bsize } = statfsSync(nearest(home))
  const free = bavail * bsize
  const shown = `${Math.floor(free / megabyte)} MB free for ${home}`
  // In a cluster, databases have volumes of their own.
  const problem = kubernetes ? undefined : spaceProblem(home, free)
  if (problem !== undefined) return disk.fail(problem, 'make space, or take another disk')
  return free < fewBytes
    ? disk.warn(shown, 'make space, or take another disk: projects will need it')
    : disk.ok(shown)
}

/** Folders and the disk below them. */
export async function lookAtFolders(
  config: Config,
  isSet: (name: string) => boolean,
): Promise<Finding[]> {
  const { home, backups, storage, storageBucket, logs, documents, postgresDir } = config
  const findings = [
    folderFinding('PLINTH_HOME', home),
    ...(isSet('PLINTH_BACKUPS') ? [folderFinding('PLINTH_BACKUPS', backups)] : []),
    ...(isSet('PLINTH_LOGS') ? [folderFinding('PLINTH_LOGS', logs)] : []),
    ...(isSet('PLINTH_STORAGE') && !storageBucket
      ? [folderFinding('PLINTH_STORAGE', storage)]
      : []),
    ...(documents === undefined ? [] : [readableFinding('PLINTH_DOCUMENTS', documents)]),
    diskFinding(config),
  ]
  if (postgresDir !== undefined)
    findings.push(
      await installationIn(postgresDir).then(
        () => folders.ok(`PLINTH_POSTGRES_DIR: ${postgresDir} has a PostgreSQL that can be used`),
        (error: unknown) =>
          folders.fail(
            `PLINTH_POSTGRES_DIR: ${reasonOf(error)}`,
            'name the folder of a PostgreSQL 17',
          ),
      ),
    )
  return findings
}

/** Where it is to listen, and with what it is to seal. */
export async function lookAtPorts(config: Config): Promise<Finding[]> {
  const problems = await preflight(config)
  if (problems.length === 0)
    return [ports.ok(`${config.port} and ${config.projectPort} of ${config.host} are free`)]
  return problems.map((line) =>
    line.includes(' is in use;')
      ? ports.warn(line, 'leave it if Plinth itself listens there')
      : ports.fail(line, 'change that setting'),
  )
}
