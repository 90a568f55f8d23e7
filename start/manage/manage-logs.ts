import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { logSources, logSourceTable, type LogSource } from '#contract/observability/log-sources'
import { logLimits, logs as api } from '#contract/observability/logs'
import { nearest } from '../nearest.mjs'
import { RefusedError } from './manage-client.ts'
import { followLogs, pageOf } from './manage-logs-follow.ts'
import { jsonLine, piecesOf, textLine, type Piece } from './manage-logs-text.ts'
import {
  refIn,
  UsageError,
  type Context,
  type Flags,
  type Result,
  type Command,
} from './manage-command.ts'

const here = logSources.filter((source) => logSourceTable[source].absent === undefined)

/** `edge`, `edge-logs` and `edge_logs` are the same; several with commas between them. @throws UsageError, RefusedError */
function sourcesIn(written: string | undefined): LogSource[] {
  if (written === undefined) return [...here]
  const short = (name: string) => name.replaceAll('-', '_').replace(/_logs$/, '')
  return written.split(',').map((name) => {
    const found = logSources.find((source) => short(source) === short(name.trim().toLowerCase()))
    if (!found) {
      const near = nearest(short(name), logSources.map(short))
      const hint =
        near === undefined ? `the sources are ${here.join(', ')}` : `did you mean "${near}"?`
      throw new UsageError(`--source: unknown source "${name}"; ${hint}`)
    }
    const { absent } = logSourceTable[found]
    if (absent !== undefined) throw new RefusedError(absent)
    return found
  })
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `15m`, `1h`, `2d`, or a time. In milliseconds since 1970. @throws UsageError */
function sinceIn(written: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(written) ?? []
  const at =
    count === undefined ? Date.parse(written) : Date.now() - Number(count) * (units[unit] ?? 0)
  if (Number.isNaN(at))
    throw new UsageError(
      `--since: "${written}" is not a time; use 15m, 1h, 2d or 2030-01-31T12:00Z`,
    )
  return at
}

function linesIn({ lines = '100' }: Flags): number {
  const count = Number(lines)
  if (Number.isInteger(count) && count >= 1 && count <= logLimits.page) return count
  throw new UsageError(`--lines must be a number from 1 to ${logLimits.page}`)
}

async function logs(rest: string[], context: Context): Promise<Result> {
  const { ask, flags, print, isColoured } = context
  const ref = refIn(rest)
  const lines = linesIn(flags)
  const narrowed = ['source', 'search', 'since', 'follow'] as const
  if (flags['server-file']) {
    const other = narrowed.find((name) => flags[name] !== undefined)
    if (other !== undefined) throw new UsageError(`--server-file cannot be used with --${other}`)
    return serverFile(ref, lines, context)
  }
  const { search = '' } = flags
  if (search.length > logLimits.searchLength)
    throw new UsageError(`--search takes ${logLimits.searchLength} characters at most`)
  const sources = sourcesIn(flags.source)
  const since = flags.since === undefined ? undefined : sinceIn(flags.since)
  const question = { ref, sources, search }
  const oldest =
    since ??
    Date.parse((await ask(`GET /platform/projects/${ref}/logs`, api.about.returns)).kept_since)
  const asked = Date.now()
  const page = await pageOf(ask, { ...question, from: oldest, limit: lines, direction: 'older' })
  // A gap further back than the entries that are shown says nothing about them.
  const first = page.next ? (page.events.at(-1)?.timestamp ?? 0) : 0
  const pieces = piecesOf(page).filter(({ at }) => at >= first)
  const lineOf = (piece: Piece) => (flags.json ? jsonLine(piece) : textLine(piece, isColoured))
  if (!flags.follow)
    return {
      data: pieces.map((piece) => ('event' in piece ? piece.event : { lost: piece.lost })),
      lines: pieces.map(lineOf),
    }
  const show = (some: readonly Piece[]) => some.forEach((piece) => print(lineOf(piece)))
  show(pieces)
  await followLogs({ context, question, asked, shown: pieces, show })
  return { data: undefined, lines: [] }
}

/** What a server wrote before it could say where: also while no platform runs. */
async function serverFile(ref: string, lines: number, { home }: Context): Promise<Result> {
  const file = join(home, 'clusters/projects', ref, 'server.log')
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const why = error instanceof Error && 'code' in error && error.code === 'EACCES'
    const reason = why ? 'cannot be read by this user' : 'does not exist'
    throw new RefusedError(`${file} ${reason}: it is on the machine that runs the platform`, {
      cause: error,
    })
  })
  const found = text.trimEnd().split('\n').slice(-lines)
  return { data: found, lines: found }
}

/** The logs of a project in a terminal. */
export const logCommands: Readonly<Record<string, Command>> = {
  logs: {
    takes:
      'REF [--source edge,postgres] [--search TEXT] [--since 1h] [--lines 100] [-f | --follow] | REF --server-file',
    does: `Prints the newest log entries of a project, the oldest first. --follow continues until Ctrl-C; --json prints one object
      per line. --server-file prints what Postgres writes while it starts, on the machine that runs it`,
    max: 1,
    run: logs,
  },
}
