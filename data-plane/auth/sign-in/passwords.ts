import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/bcrypt'
import { createLimiter } from '#kit/concurrency'
import { AuthError } from '../errors.ts'
import type { AuthConfig } from '../config.ts'

const cost = 10
/** What bcrypt looks at; more would be cut off silently. */
const longestBytes = 72
/** A hash from elsewhere may cost more, but each step doubles the work of every sign-in. */
const highestCost = 14
const lowestCost = 4

export type PasswordLimits = { concurrency?: number; queue?: number }

/**
 * Hashes in worker threads, a few at a time: 50 ms of CPU each must neither block the event loop nor take every core.
 * When too many wait, the next one is refused with 429 instead of making all of them time out.
 */
export function createPasswords({
  concurrency = availableParallelism(),
  queue = 200,
}: PasswordLimits = {}) {
  const limiter = createLimiter({
    concurrency,
    maxQueued: queue,
    full: () => new AuthError('over_request_rate_limit', undefined, { retryAfter: 2 }),
  })
  let done = 0
  const unknownUser = hash('no user has this password', cost)
  const limited = <T>(work: () => Promise<T>): Promise<T> =>
    limiter(() => {
      done += 1
      return work()
    })

  /**
   * Whether the password fits. Without a stored hash (no such user, or a user without password) as much work is
   * done, so the time tells nothing.
   */
  async function fits(password: string, stored: string | null | undefined): Promise<boolean> {
    const known = stored !== null && stored !== undefined && isBcrypt(stored)
    const against = known ? stored : await unknownUser
    const equal = await limited(() => verify(password, against))
    return equal && known && Buffer.byteLength(password) <= longestBytes
  }

  return {
    hash: (password: string) => limited(() => hash(password, cost)),
    fits,
    /** How many hashes were computed so far: the work that answers must not differ by. */
    hashCount: () => done,
  }
}
export type Passwords = ReturnType<typeof createPasswords>

/** Refuses a password that the policy of the tenant does not allow; 422 `weak_password` with the reasons. */
export function checkPassword(config: AuthConfig, password: string): void {
  if (Buffer.byteLength(password) > longestBytes) {
    const message = `Password cannot be longer than ${longestBytes} bytes`
    throw new AuthError('validation_failed', message, { status: 422 })
  }
  const missing = config.passwordRequiredCharacters.filter((set) => !containsOneOf(password, set))
  const short = Array.from(password).length < config.passwordMinLength
  if (!short && missing.length === 0) return
  const words = [
    ...(short ? [`Password should be at least ${config.passwordMinLength} characters.`] : []),
    ...(missing.length > 0
      ? [`Password should contain at least one character of each: ${missing.join(', ')}.`]
      : []),
  ]
  const reasons = [...(short ? ['length'] : []), ...(missing.length > 0 ? ['characters'] : [])]
  throw new AuthError('weak_password', words.join(' '), { reasons })
}

function containsOneOf(password: string, set: string): boolean {
  return Array.from(set).some((char) => password.includes(char))
}

/** Whether a text is a bcrypt hash that we are willing to verify against. */
export function isBcrypt(text: string): boolean {
  const found = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(text)?.[1]
  return found !== undefined && Number(found) >= lowestCost && Number(found) <= highestCost
}
