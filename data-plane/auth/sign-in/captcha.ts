import type { Captcha } from '../config.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import type { Caller } from '../tenant.ts'

const addresses: Record<Captcha['kind'], string> = {
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
}

export function createCaptcha({ fetch, log }: Pick<AuthDeps, 'fetch' | 'log'>) {
  /**
   * Refuses a request without a fresh token of the tenant's captcha, where it has one; 400 `captcha_failed`. Each token
   * counts once, which is the service's to know. While the service does not answer nobody passes: else whoever keeps it
   * from answering would have switched the captcha off.
   */
  return async function check({ tenant, ip }: Caller, token: string | undefined): Promise<void> {
    const { captcha } = tenant.config
    if (!captcha) return
    const given = token?.trim() ?? ''
    if (given === '') throw refused('request disallowed (no captcha_token found in request)')
    const answer = await ask(captcha, given, ip).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ tenant: tenant.id, reason }, 'a captcha could not be checked')
      throw refused('the captcha service does not answer, try again shortly')
    })
    if (answer?.success === true) return
    throw refused(`request disallowed (${codesOf(answer?.['error-codes'])})`)
  }

  async function ask({ kind, secret, url }: Captcha, token: string, ip: string) {
    const response = await fetch(url ?? addresses[kind], {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ secret, response: token, remoteip: ip }).toString(),
    })
    if (!response.ok) throw new Error(`The service answered with status ${response.status}`)
    const answer: unknown = await response.json()
    return answer as { success?: unknown; 'error-codes'?: unknown } | null // any JSON
  }
}
export type CheckCaptcha = ReturnType<typeof createCaptcha>

const refused = (why: string) => new AuthError('captcha_failed', `captcha protection: ${why}`)

/** What a service says is wrong with a token, as far as it says it in its usual words. */
function codesOf(codes: unknown): string {
  const known = Array.isArray(codes)
    ? codes.filter((one) => /^[a-z-]{1,50}$/.test(String(one)))
    : []
  return known.length > 0 ? known.join(', ') : 'captcha was not solved'
}
