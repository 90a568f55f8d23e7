import { parseArgs } from 'node:util'
import { createManageClient, RefusedError, type Reach } from './manage-client.ts'
import { UsageError, type Flags } from './manage-word.ts'
import { words } from './manage-words.ts'

type Io = {
  environment: Readonly<Record<string, string | undefined>>
  say: (line: string) => void
  complain: (line: string) => void
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
  schemas: { type: 'string' },
  lines: { type: 'string' },
  port: { type: 'string' },
} as const

const help = [
  'usage: plinth WORD [--json] [--url URL] [--token TOKEN | --as E-MAIL]',
  ...Object.entries(words).map(([word, { usage }]) => `  plinth ${word}   ${usage}`),
  'PLINTH_URL and PLINTH_ACCESS_TOKEN stand in for --url and --token.',
  'Without a token, the platform that runs on PLINTH_HOME (.plinth unless told) is asked as its local administrator,',
  'or as the person that --as names, by whoever may enter that folder.',
]

/**
 * One word of `plinth` on the Management API: `projects list --json`.
 * @returns the exit code: 0 done, 1 refused or not reached, 2 not understood
 */
export async function manage(args: string[], { environment, say, complain }: Io): Promise<number> {
  try {
    const { values: flags, positionals } = parsed(args)
    if (flags.help) {
      help.forEach(say)
      return 0
    }
    const [first = '', second = ''] = positionals
    const pair = words[`${first} ${second}`]
    const word = pair ?? words[first]
    if (!word) throw new UsageError(`there is no word "${positionals.join(' ')}"`)
    const rest = positionals.slice(pair ? 2 : 1)
    const home = environment['PLINTH_HOME'] || '.plinth'
    const reach = reachOf(flags, environment, home)
    const ask = createManageClient(reach)
    const told = await word.run(rest, {
      ask,
      flags,
      home,
      isLocal: 'home' in reach && reach.as === undefined,
    })
    if (flags.json) say(JSON.stringify(told.data, undefined, 2))
    else told.lines.forEach(say)
    return 0
  } catch (error) {
    if (error instanceof UsageError) {
      complain(`plinth: ${error.message}; plinth --help tells more`)
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
  if (!URL.canParse(url)) throw new UsageError(`--url: "${url}" is no address`)
  const token = flags.token ?? environment['PLINTH_ACCESS_TOKEN'] ?? ''
  if (token !== '') {
    if (flags.as === undefined) return { url, token }
    throw new UsageError('--as is for the local administrator: leave the access token out')
  }
  if (flags.url === undefined) return { home, as: flags.as }
  throw new UsageError('--url needs an access token: give --token or PLINTH_ACCESS_TOKEN')
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
