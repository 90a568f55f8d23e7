import { randomUUID } from 'node:crypto'
import type { AuthHook, HookTarget } from '#contract/auth/auth-hooks'
import type { AuthDeps } from '../deps.ts'
import { answerIn } from './hook-answer.ts'
import { askFunction } from './hook-database.ts'
import { askAddress, type HookPatience } from './hook-http.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'

/** Whom to ask; `secrets` sign requests to an address, each in base64. */
export type Hook = HookTarget & { secrets: readonly string[] }
export type Hooks = Partial<Record<AuthHook, Hook>>

/** How hooks are called in what they are told. */
const toldAs: Record<AuthHook, string> = {
  BEFORE_USER_CREATED: 'before-user-created',
  CUSTOM_ACCESS_TOKEN: 'customize-access-token',
  MFA_VERIFICATION_ATTEMPT: 'mfa-verification',
  PASSWORD_VERIFICATION_ATTEMPT: 'password-verification',
  SEND_EMAIL: 'send-email',
  SEND_SMS: 'send-sms',
}

type Asking = Pick<Caller, 'tenant' | 'ip'>

/**
 * Asks a hook and gives its answer; undefined when the tenant has no such hook. Functions of the database run within
 * `tx` where there is one, so that they see what is being done and leave nothing behind when it is not done after all.
 * @throws AuthError what the hook refuses with, or `hook_...` when it did not answer as it has to.
 */
export type AskHook = (
  caller: Asking,
  name: AuthHook,
  payload: object,
  tx?: Db,
) => Promise<Record<string, unknown> | undefined>

export function createHooks(
  { fetch, log, now }: Pick<AuthDeps, 'fetch' | 'log' | 'now'>,
  patience: HookPatience,
): AskHook {
  return async ({ tenant, ip }, name, payload, tx) => {
    const hook = tenant.config.hooks[name]
    if (!hook) return undefined
    const at = now()
    const metadata = { uuid: randomUUID(), time: at.toISOString(), name: toldAs[name] }
    const told = JSON.stringify({ metadata: { ...metadata, ip_address: ip }, ...payload })
    try {
      const text = await ask(hook, told, at)
      return answerIn(text)
    } catch (error) {
      // The address is not what a log needs, and may hold a key.
      const { message, cause } = error instanceof Error ? error : new Error(String(error))
      const reason = cause instanceof Error ? cause.message : undefined
      log.warn({ tenant: tenant.id, hook: name, refusal: message, reason }, 'a hook refused')
      throw error
    }

    function ask(target: Hook, body: string, when: Date): Promise<string> {
      if (target.kind === 'http') return askAddress(fetch, target, body, when, patience)
      if (tx) return askFunction(tx, target, body)
      return inTransaction(tenant.pool, (own) => askFunction(own, target, body))
    }
  }
}
