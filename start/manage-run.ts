import { parseArgs } from 'node:util'
import { createManageClient, RefusedError } from './manage-client.ts'
import { UsageError, words } from './manage-words.ts'

type Io = {
  environment: Readonly<Record<string, string | undefined>>
  say: (line: string) => void
  complain: (line: string) => void
}

const options = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  url: { type: 'string' },
  token: { type: 'string' },
  org: { type: 'string' },
  region: { type: 'string' },
  'db-password': { type: 'string' },
  'jwt-secret': { type: 'string' },
  'signing-key': { type: 'string' },
  schemas: { type: 'string' },
  lines: { type: 'string' },
} as const

const help = [
  'usage: plinth WORD [--json] [--url URL] [--token TOKEN]',
  ...Object.entries(words).map(([word, { usage }]) => `  plinth ${word}   ${usage}`),
  'PLINTH_URL and PLINTH_ACCESS_TOKEN stand in for --url and --token.',
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
    const token = flags.token ?? environment['PLINTH_ACCESS_TOKEN'] ?? ''
    if (token === '' && word !== words['logs']) {
      throw new UsageError('give an access token with --token or PLINTH_ACCESS_TOKEN')
    }
    const url = flags.url ?? environment['PLINTH_URL'] ?? 'http://localhost:8000'
    if (!URL.canParse(url)) throw new UsageError(`--url: "${url}" is no address`)
    const ask = createManageClient({ url, token })
    const home = environment['PLINTH_HOME'] ?? '.plinth'
    const told = await word.run(rest, { ask, flags, home })
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

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
