import { OversizeError, ProtocolError } from './message-watch.ts'

const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'EACCES',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
])

/** The driver gives most of its own errors no code, only these words. */
const words = /^Connection terminated|^Client has encountered a connection error|^timeout expired/

/** Whether a query failed because its database cannot be reached, went away meanwhile or does not speak as one does. */
export function isLostConnection(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  if (error instanceof ProtocolError || words.test(error.message)) return true
  return 'code' in error && codes.has(String(error.code))
}

/**
 * Whether the server ended a connection that it had taken, other than by a refusal that it put into words, or we ended it for what
 * came.
 */
export function isBrokenConnection(error: Error): boolean {
  if (error instanceof ProtocolError || error instanceof OversizeError) return true
  if (error.message.startsWith('Connection terminated')) return true
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
}
