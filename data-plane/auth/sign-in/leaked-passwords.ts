import { createHash } from 'node:crypto'
import type { Log } from '#kit/log'
import type { SafeFetch } from '#kit/network/safe-fetch'
import { AuthError } from '../errors.ts'
import type { AuthTenant } from '../tenant.ts'

const service = 'https://api.pwnedpasswords.com/range/'

export const leakedMessage =
  'Password is known to be weak and easy to guess, please choose a different one.'

/**
 * Whether passwords are in the lists of leaked ones that Have I Been Pwned keeps. The service learns the first five
 * digits of a hash, which many passwords share, and answers with all that begin so; padding hides how many those are.
 */
export function createLeakedPasswords({ fetch, log }: { fetch: SafeFetch; log: Log }) {
  /**
   * False also while the service does not answer: it protects people from a poor choice and from no attacker, and a
   * sign-up must not depend on somebody else's server. The log says that nobody looked.
   */
  async function isLeaked({ id, config }: AuthTenant, password: string): Promise<boolean> {
    if (!config.leakedPasswords) return false
    const hash = createHash('sha1').update(password).digest('hex').toUpperCase()
    try {
      const url = (config.leakedPasswords.url ?? service) + hash.slice(0, 5)
      const response = await fetch(url, {
        headers: { 'add-padding': 'true', accept: 'text/plain' },
      })
      if (!response.ok) throw new Error(`The service answered with status ${response.status}`)
      return isListed(await response.text(), hash.slice(5))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ tenant: id, reason }, 'whether a password is leaked could not be checked')
      return false
    }
  }

  /** Refuses a new password that is leaked; 422 `weak_password`. */
  async function refuse(tenant: AuthTenant, password: string): Promise<void> {
    if (!(await isLeaked(tenant, password))) return
    throw new AuthError('weak_password', leakedMessage, { reasons: ['pwned'] })
  }

  return { isLeaked, refuse }
}
export type LeakedPasswords = ReturnType<typeof createLeakedPasswords>

/** Lines are the rest of a hash, a colon, and how often it was seen; padding was seen never. */
function isListed(list: string, rest: string): boolean {
  return list.split('\n').some((line) => {
    const [listed, times] = line.trim().split(':')
    return listed?.toUpperCase() === rest && Number(times) > 0
  })
}
