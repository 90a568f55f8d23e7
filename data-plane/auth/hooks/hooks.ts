import { randomUUID } from 'node:crypto'
import type { AuthHook } from '#contract/auth/auth-hooks'
import type { Hook } from '../config.ts'
import type { AuthDeps } from '../deps.ts'
import { answerIn } from './hook-answer.ts'
import { askFunction } from './hook-database.ts'
import { askAddress, type HookTimeouts } from './hook-http.ts'
import { inTransaction } from '../store.ts'
import type { AskHook } from '../tenant.ts'

/** How hooks are called in the body that they get. */
const publicNames: Record<AuthHook, string> = {
  BEFORE_USER_CREATED: 'before-user-created',
  CUSTOM_ACCESS_TOKEN: 'customize-access-token',
  MFA_VERIFICATION_ATTEMPT: 'mfa-verification',
  PASSWORD_VERIFICATION_ATTEMPT: 'password-verification',
  SEND_EMAIL: 'send-email',
  SEND_SMS: 'send-sms',
}

export function createHooks(
  { fetch, log, now }: Pick<AuthDeps, 'fetch' | 'log' | 'now'>,
  timeouts: HookTimeouts,
): AskHook {
  return async ({ tenant, ip }, name, payload, tx) => {
    const hook = tenant.config.hooks[name]
    if (!hook) return undefined
    const at = now()
    const metadata = { uuid: randomUUID(), time: at.toISOString(), name: publicNames[name] }
    const body = JSON.stringify({ metadata: { ...metadata, ip_address: ip }, ...payload })
    try {
      const text = await ask(hook, body, at)
      return answerIn(text)
    } catch (error) {
      // The address is not what a log needs, and may hold a key.
      const { message, cause } = error instanceof Error ? error : new Error(String(error))
      const reason = cause instanceof Error ? cause.message : undefined
      log.warn({ tenant: tenant.id, hook: name, refusal: message, reason }, 'a hook refused')
      throw error
    }

    function ask(target: Hook, body: string, when: Date): Promise<string> {
      if (target.kind === 'http') return askAddress(fetch, target, body, when, timeouts)
      if (tx) return askFunction(tx, target, body)
      return inTransaction(tenant.pool, (own) => askFunction(own, target, body))
    }
  }
}
