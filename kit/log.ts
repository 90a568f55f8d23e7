import { pino, type DestinationStream, type Logger, type LogFn, type LoggerOptions } from 'pino'

export type Log = Logger

/** Paths that never reach a log, at any depth we use. A secret in a log is an incident. */
const secretKeys = [
  'password',
  'db_pass',
  'authorization',
  'apikey',
  'cookie',
  'secret',
  'jwtSecret',
  'sealingKey',
  'jwt_secret',
  'signingKeys',
  'private_jwk',
  'token',
  'access_token',
  'refresh_token',
  'service_key',
  'connectionString',
]
const redact = secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`, `req.headers.${key}`])

/** One JSON line per event, on standard output unless `to` is given. `program` names the process in every line. */
export function createLog(program: string, level = 'info', to?: DestinationStream): Log {
  const options = {
    level,
    base: { program },
    redact: { paths: redact, censor: '[redacted]' },
    serializers: { err: shownOf },
    hooks: limitRepeats(),
  }
  return to ? pino(options, to) : pino(options)
}

/** The pool hangs the whole client on an error of its connection, with the key by which its queries can be cancelled. */
function shownOf(error: Error): object {
  const { client: _, ...shown } = { client: undefined, ...pino.stdSerializers.err(error) }
  return shown
}

/** A log that keeps nothing; for tests that do not look at it. */
export const silentLog: Log = pino({ level: 'silent' })

/** Lines of the same words that are written in one window; the rest of them are counted. */
const max = 10
const windowMs = 10_000
/** Different words that are told apart at once. */
const maxKinds = 500
const warning = 40

type Seen = { since: number; lines: number }

/**
 * Keeps a program that cannot reach its database from writing the same warning for every call and every round: beyond
 * ten in ten seconds they are left out, and the first line of the next window says how many were.
 */
export function limitRepeats(now: () => number = Date.now): NonNullable<LoggerOptions['hooks']> {
  const seen = new Map<string, Seen>()
  return {
    logMethod(args, method: LogFn, level) {
      if (level < warning) return method.apply(this, args)
      const words = wordsOf(args)
      const known = seen.get(words)
      if (known && now() - known.since < windowMs) {
        known.lines += 1
        if (known.lines <= max) method.apply(this, args)
        return
      }
      seen.delete(words)
      seen.set(words, { since: now(), lines: 1 })
      if (seen.size > maxKinds) seen.delete(seen.keys().next().value ?? '')
      const left = (known?.lines ?? 0) - max
      if (left > 0) this.warn({ left, like: words }, 'lines were left out')
      method.apply(this, args)
    },
  }
}

/** What tells one kind of line from another: its message and that of its error. */
function wordsOf([first, second]: readonly unknown[]): string {
  if (typeof first === 'string') return first
  const error = typeof first === 'object' && first !== null && 'err' in first ? first.err : first
  return `${String(second)} ${error instanceof Error ? error.message : ''}`
}
