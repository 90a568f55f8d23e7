import type { Db } from './store.ts'
import type { UserRow } from './user-row.ts'

/** What happened, in the words that log viewers know, and the group of log it belongs to. */
const logTypes = {
  login: 'account',
  logout: 'account',
  invite_accepted: 'account',
  identity_linked: 'user',
  identity_unlinked: 'user',
  user_signedup: 'team',
  user_invited: 'team',
  user_deleted: 'team',
  user_modified: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_confirmation_requested: 'user',
  user_repeated_signup: 'user',
  user_updated_password: 'user',
  factor_in_progress: 'factor',
  factor_unenrolled: 'factor',
  factor_updated: 'factor',
  factor_deleted: 'factor',
  challenge_created: 'factor',
  mfa_code_login: 'factor',
  token_revoked: 'token',
  token_refreshed: 'token',
} as const

export type AuditAction = keyof typeof logTypes

export type AuditEntry = {
  action: AuditAction
  /** Who did it; undefined for a holder of the service key. */
  actor: Pick<UserRow, 'id' | 'email' | 'phone' | 'is_sso_user'> | undefined
  ip: string
  /** Further facts, never a secret. */
  traits?: Record<string, unknown>
}

/** Adds an entry, in the transaction of the change it is about. */
export async function audit(db: Db, entry: AuditEntry, at: Date): Promise<void> {
  const { action, actor, ip, traits } = entry
  const payload = {
    action,
    actor_id: actor?.id ?? '00000000-0000-0000-0000-000000000000',
    actor_username: actor ? actor.email || actor.phone || '' : 'service_role',
    actor_via_sso: actor?.is_sso_user ?? false,
    log_type: logTypes[action],
    ...(traits && { traits }),
  }
  await db.query(
    `insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
     values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), $1, $2, $3)`,
    [JSON.stringify(payload), at, ip.slice(0, 64)],
  )
}
