import { parseArgs } from 'node:util'
import { createManageClient, RefusedError, type Reach } from './manage-client.ts'
import { UsageError, type Flags, type Command } from './manage-command.ts'
import { commands } from './manage-commands.ts'
import { findHome } from './manage-home.ts'
import { nearest } from '../nearest.mjs'

type Io = {
  environment: Readonly<Record<string, string | undefined>>
  say: (line: string) => void
  complain: (line: string) => void
  browse: (url: string) => void
  isColoured?: boolean
  interrupted?: () => AbortSignal
  followMs?: number
}

const options = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  reveal: { type: 'boolean' },
  remove: { type: 'boolean' },
  url: { type: 'string' },
  token: { type: 'string' },
  as: { type: 'string' },
  org: { type: 'string' },
  name: { type: 'string' },
  'sealed-as': { type: 'string' },
  region: { type: 'string' },
  'db-password': { type: 'string' },
  'jwt-secret': { type: 'string' },
  'signing-key': { type: 'string' },
  'new-tables': { type: 'string' },
  example: { type: 'string' },
  schemas: { type: 'string' },
  lines: { type: 'string' },
  source: { type: 'string' },
  search: { type: 'string' },
  since: { type: 'string' },
  follow: { type: 'boolean', short: 'f' },
  'server-file': { type: 'boolean' },
  port: { type: 'string' },
  'from-db-url': { type: 'string' },
  'from-url': { type: 'string' },
  'from-service-key': { type: 'string' },
  'from-access-token': { type: 'string' },
  'from-ref': { type: 'string' },
  'from-api': { type: 'string' },
  'from-jwt-secret': { type: 'string' },
  only: { type: 'string' },
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean' },
  trust: { type: 'boolean' },
  preload: { type: 'string' },
  restart: { type: 'boolean' },
  force: { type: 'boolean' },
} as const

const common = ['help', 'json', 'url', 'token', 'as']
const reached = [
  'PLINTH_URL and PLINTH_ACCESS_TOKEN replace --url and --token.',
  'Without a token, the command goes to the platform of this machine, as its local administrator or as the person that --as names:',
  'the one that runs on --home or PLINTH_HOME, else on .plinth in this folder, in one above it, or in the folder of Plinth itself.',
  'Exit codes: 0 success, 1 refused or not reached, 2 wrong usage, 3 success except for what the output lists.',
]
const usage = 'usage: plinth COMMAND [--json] [--url URL] [--token TOKEN | --as EMAIL]'
const lineOf = ([name, { takes, does }]: [string, Command]) =>
  `  plinth ${name}${takes && ` ${takes}`}\n      ${does}.`

/** Of one command, of those that begin with the same name, or of all. */
function helpFor(typed: readonly string[]): string[] {
  const all = Object.entries(commands)
  const [first = '', second = ''] = typed
  const one = all.filter(([name]) => name === `${first} ${second}` || name === first)
  const some = all.filter(([name]) => name.startsWith(`${first} `))
  const result = one.length > 0 ? one : some.length > 0 ? some : all
  return [usage, ...result.map(lineOf), ...reached]
}

/** What was typed has to be what the command takes: a slip must not do something else than was meant. */
function checkTaken(name: string, { takes, max }: Command, rest: readonly string[], flags: object) {
  const [surplus] = rest.slice(max)
  if (surplus !== undefined) throw new UsageError(`${name} does not take "${surplus}"`)
  const known = [...takes.matchAll(/--([\w-]+)/g)].map(([, option]) => option)
  const foreign = Object.keys(flags).find((flag) => !common.includes(flag) && !known.includes(flag))
  if (foreign !== undefined) throw new UsageError(`${name} does not take --${foreign}`)
}

function unknownCommand(typed: readonly string[]): UsageError {
  const near = nearest(typed.slice(0, 2).join(' '), Object.keys(commands))
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  return new UsageError(`unknown command "${typed.join(' ')}"${hint}`)
}

/**
 * One command of `plinth` over the Management API: `projects list --json`.
 * @returns the exit code: 0 success, 1 refused or not reached, 2 wrong usage, 3 success in part
 */
export async function manage(
  args: string[],
  {
    environment,
    say,
    complain,
    browse,
    isColoured = false,
    interrupted = () => new AbortController().signal,
    followMs = 2000,
  }: Io,
): Promise<number> {
  try {
    const { values: flags, positionals } = parsed(args)
    if (flags.help) {
      helpFor(positionals).forEach(say)
      return 0
    }
    const [first = '', second = ''] = positionals
    const pair = commands[`${first} ${second}`]
    const command = pair ?? commands[first]
    if (!command) throw unknownCommand(positionals)
    const name = pair ? `${first} ${second}` : first
    const rest = positionals.slice(pair ? 2 : 1)
    checkTaken(name, command, rest, flags)
    const home = environment['PLINTH_HOME'] || findHome(process.cwd())
    const reach = reachOf(flags, environment, home)
    const ask = createManageClient(reach)
    const result = await command.run(rest, {
      ask,
      flags,
      home,
      url: 'url' in reach ? reach.url : undefined,
      isLocal: 'home' in reach && reach.as === undefined,
      browse,
      environment,
      notify: complain,
      print: say,
      isColoured,
      interrupted,
      followMs,
    })
    if (flags.json && result.data !== undefined) say(JSON.stringify(result.data, undefined, 2))
    else result.lines.forEach(say)
    return result.code ?? 0
  } catch (error) {
    if (error instanceof UsageError) {
      complain(`plinth: ${error.message}${error.message.endsWith('?') ? '' : ';'} see plinth help`)
      return 2
    }
    if (!(error instanceof RefusedError)) throw error
    complain(`plinth: ${error.message}`)
    return 1
  }
}

/** With a token whatever platform it is for; without one only that of this machine. */
function reachOf(
  flags: Flags & { url?: string | undefined; token?: string | undefined; as?: string | undefined },
  environment: Io['environment'],
  home: string,
): Reach {
  const url = flags.url ?? (environment['PLINTH_URL'] || 'http://localhost:8000')
  if (!URL.canParse(url)) throw new UsageError(`--url: "${url}" is not a URL`)
  const token = flags.token ?? environment['PLINTH_ACCESS_TOKEN'] ?? ''
  if (token !== '') {
    if (flags.as === undefined) return { url, token }
    throw new UsageError('--as works only for the local administrator: remove the access token')
  }
  if (flags.url === undefined) return { home, as: flags.as }
  throw new UsageError('--url needs an access token: give --token or PLINTH_ACCESS_TOKEN')
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, typed] = /^Unknown option '--?([\w-]+)'/.exec(message) ?? []
    const near = typed === undefined ? undefined : nearest(typed, Object.keys(options))
    const [sentence = message] = message.split('. ')
    throw new UsageError(near === undefined ? sentence : `${sentence}; did you mean --${near}?`, {
      cause: error,
    })
  }
}
