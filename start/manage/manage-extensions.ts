import { resolve } from 'node:path'
import { extensionUse } from '#contract/operations/extension-use'
import { addBuild, removeBuild } from '#kit/postgres/builds/add'
import { BuildError, keptBuilds, type Build } from '#kit/postgres/builds/build'
import { preparePostgres } from '#kit/postgres/runtime'
import { RefusedError } from './manage-client.ts'
import { UsageError, type Context, type Result, type Command } from './manage-command.ts'

/** Builds are files of this machine: a platform that is reached over the network has its own. */
function localHome({ isLocal, home }: Context): string {
  if (isLocal) return resolve(home)
  throw new UsageError('builds are files in PLINTH_HOME: remove --url, --token and --as')
}

const extensionLine = ({ name, version, open }: Build['extensions'][number]) =>
  `  ${name} ${version}${open ? '' : '  only the operator can enable it; add it again with --trust to let owners'}`
const buildLines = (build: Build): string[] => [
  `${build.name}  from ${build.source}, added ${build.added_at.slice(0, 10)}`,
  ...build.extensions.map(extensionLine),
  ...(build.preload.length > 0 ? [`  loaded at startup: ${build.preload.join(', ')}`] : []),
]
const dataOf = ({ folder: _folder, files: _files, ...build }: Build) => build

async function list(_: string[], context: Context): Promise<Result> {
  const builds = await keptBuilds(localHome(context))
  const lines = builds.flatMap(buildLines)
  return {
    data: builds.map(dataOf),
    lines: lines.length > 0 ? lines : ['no builds of extensions have been added'],
  }
}

async function add(rest: string[], context: Context): Promise<Result> {
  const { flags, environment } = context
  const [from] = rest
  if (from === undefined) throw new UsageError('missing FILE.deb or FOLDER')
  const home = localHome(context)
  const runtime = await preparePostgres(home, [], environment['PLINTH_POSTGRES_DIR'] || undefined)
  const preload = (flags.preload ?? '').split(',').filter(Boolean)
  try {
    const trust = flags.trust ?? false
    const build = await addBuild({ home, runtime, from, trust, preload })
    const { lines, restarting } = await restartAll(context)
    return {
      data: { ...dataOf(build), restarting },
      lines: [...buildLines(build), ...lines],
    }
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    throw new RefusedError(`${from} was not added: ${error.message}`, { cause: error })
  }
}

/** A server sees a build when it starts: those that run are named, or restarted where that was asked for. */
async function restartAll({ ask, flags }: Context) {
  const found = await ask('GET /internal/extension-use', extensionUse.list.returns).catch(
    (error: unknown) => {
      if (error instanceof RefusedError && error.passes) return undefined
      throw error
    },
  )
  if (found === undefined)
    return {
      restarting: [],
      lines: ['Plinth is not running: projects get the build when it starts'],
    }
  const running = found.projects.filter(({ status }) => status.startsWith('ACTIVE_'))
  const names = running.map(({ ref, name }) => `  ${ref}  ${name}`)
  if (running.length === 0) return { restarting: [], lines: [] }
  if (!flags.restart) {
    const first =
      'These running projects get the build when they restart; --restart restarts them all:'
    return { restarting: [], lines: [first, ...names] }
  }
  for (const { ref } of running)
    await ask(`POST /internal/extension-use/${ref}/restart`, extensionUse.restart.returns)
  return { restarting: running.map(({ ref }) => ref), lines: ['Restarting:', ...names] }
}

async function remove(rest: string[], context: Context): Promise<Result> {
  const { ask, flags } = context
  const [name] = rest
  if (name === undefined)
    throw new UsageError('missing NAME; plinth extensions list shows the builds')
  const home = localHome(context)
  const build = (await keptBuilds(home)).find(
    (one) => one.name === name || one.extensions.some((extension) => extension.name === name),
  )
  if (!build) throw new RefusedError(`there is no build ${name}; plinth extensions list shows them`)
  const { projects } = await ask('GET /internal/extension-use', extensionUse.list.returns)
  const names = new Set(build.extensions.map((extension) => extension.name))
  const using = projects.filter(({ extensions }) => extensions.some((one) => names.has(one)))
  if (using.length > 0) {
    const who = using.map(({ ref, name: called }) => `${called} (${ref})`).join(', ')
    throw new RefusedError(`${build.name} is used by ${who}: drop the extension there first`)
  }
  const unknown = projects.filter((project) => project.unknown !== null)
  if (unknown.length > 0 && !flags.force) {
    const who = unknown.map((one) => `${one.name} (${one.ref}): ${one.unknown}`).join('; ')
    throw new RefusedError(
      `Plinth cannot tell whether a project uses ${build.name}: ${who}. --force removes it anyway, and whatever uses it fails`,
    )
  }
  await removeBuild(home, build)
  return {
    data: dataOf(build),
    lines: [`${build.name} is removed; running projects lose it when they next restart`],
  }
}

/** The operator's builds of extensions, on this machine. */
export const extensionCommands: Readonly<Record<string, Command>> = {
  'extensions list': {
    takes: '',
    does: 'Lists the builds of Postgres extensions that were added to this installation',
    max: 0,
    run: list,
  },
  'extensions add': {
    takes: 'FILE.deb|FOLDER [--trust] [--preload LIBRARY,...] [--restart]',
    does: 'Adds extensions built for PostgreSQL 17, after trying them in a temporary server. --trust lets project owners enable them, and their scripts run as the superuser; without it, that goes only for extensions marked as trusted. --preload names libraries that servers load at startup, --restart restarts the running projects',
    max: 1,
    run: add,
  },
  'extensions remove': {
    takes: 'NAME [--force]',
    does: 'Removes a build that no project uses. --force removes it although paused projects could not be asked',
    max: 1,
    run: remove,
  },
}
