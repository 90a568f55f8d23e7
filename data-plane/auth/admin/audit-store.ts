import { afterCommit, one, type Db } from '../store.ts'
import type { UserRow } from '../users/user-row.ts'

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
  verification_attempted: 'factor',
  mfa_code_login: 'factor',
  generate_recovery_codes: 'factor',
  recovery_codes_deleted: 'factor',
  passkey_created: 'user',
  passkey_deleted: 'user',
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
  // A few that are too old go with each that comes, so that the table stays within bounds and nobody has to sweep it.
  const { rows } = await db.query<{ id: string }>(
    `with old as (
       select id from auth.audit_log_entries where created_at < $2::timestamptz - $4 * interval '1 day'
        order by created_at limit 10 for update skip locked
     ), gone as (
       delete from auth.audit_log_entries entry using old where entry.id = old.id
     )
     insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
     values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), $1, $2, $3)
     returning id`,
    [JSON.stringify(payload), at, ip.slice(0, 64), keptDays],
  )
  const id = rows[0]?.id ?? ''
  afterCommit(db, (pool) => listeners.get(pool)?.({ id, ip, at, ...payload }))
}

/** An entry that is committed. */
export type Audited = {
  id: string
  ip: string
  at: Date
  action: AuditAction
  actor_id: string
  actor_username: string
  actor_via_sso: boolean
  log_type: string
  traits?: Record<string, unknown>
}
const listeners = new WeakMap<Db, (entry: Audited) => void>()

/** Hears of every entry of the tenant to whom this pool belongs. */
export function onAudit(pool: Db, listener: (entry: Audited) => void): void {
  listeners.set(pool, listener)
}

/** How long entries are kept. */
const keptDays = 90

export type AuditRow = {
  id: string
  payload: Record<string, unknown>
  created_at: Date
  ip_address: string
}

export type AuditPage = {
  page: number
  perPage: number
  /** Entries whose payload has this text, in any case, below one of these names. */
  filter?: { names: readonly string[]; text: string } | undefined
}

const matching = `where $1::text is null
  or exists (select from unnest($2::text[]) as named (name) where payload ->> named.name ilike $1)`
const pageSql = `select id, payload, created_at, ip_address from auth.audit_log_entries ${matching}
  order by created_at desc, id limit $3 offset $4`
const countSql = `select count(*) as total from auth.audit_log_entries ${matching}`

/** One page of entries, the latest first, and how many there are in all. */
export async function auditEntries(
  db: Db,
  { page, perPage, filter }: AuditPage,
): Promise<{ entries: AuditRow[]; total: number }> {
  const like = filter ? `%${filter.text.replace(/[\\%_]/g, '\\$&')}%` : null
  const values = [like, filter?.names ?? []]
  const { rows } = await db.query<AuditRow>(pageSql, [...values, perPage, (page - 1) * perPage])
  const counted = await one<{ total: string }>(db, countSql, values)
  return { entries: rows, total: Number(counted?.total ?? 0) }
}
