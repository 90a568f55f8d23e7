import { pino, type DestinationStream, type Logger } from 'pino'
import { limitRepeats } from './log-repeats.ts'

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
    hooks: limitRepeats(),
  }
  return to ? pino(options, to) : pino(options)
}

/** A log that keeps nothing; for tests that do not look at it. */
export const silentLog: Log = pino({ level: 'silent' })
