import type { AuthAuditEntry } from '#contract/auth/auth-records'

const words: Record<string, string> = {
  login: 'Signed in',
  logout: 'Signed out',
  invite_accepted: 'Accepted an invitation',
  identity_linked: 'Linked an identity',
  identity_unlinked: 'Unlinked an identity',
  user_signedup: 'Signed up',
  user_invited: 'Invited',
  user_deleted: 'Deleted a user',
  user_modified: 'Changed a user',
  user_recovery_requested: 'Asked for a link or code',
  user_reauthenticate_requested: 'Requested a reauthentication code',
  user_confirmation_requested: 'Asked for a confirmation',
  user_repeated_signup: 'Signed up again',
  user_updated_password: 'Changed the password',
  factor_in_progress: 'Started a second factor',
  factor_unenrolled: 'Removed their second factor',
  factor_updated: 'Renamed a second factor',
  factor_deleted: 'Removed a second factor',
  challenge_created: 'Was asked for the second factor',
  verification_attempted: 'Tried to verify the second factor',
  mfa_code_login: 'Verified the second factor',
  generate_recovery_codes: 'Created recovery codes',
  recovery_codes_deleted: 'Recovery codes were deleted',
  token_revoked: 'A token was revoked',
  token_refreshed: 'Refreshed the session',
}
export const auditActions = Object.keys(words)

export const actionLabel = (action: string): string => words[action] ?? action

const textIn = (value: unknown, key: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const found = new Map(Object.entries(value)).get(key)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** What happened, in words; an action that has none by its name. */
export const auditWords = ({ payload }: AuthAuditEntry): string =>
  actionLabel(textIn(payload, 'action') ?? 'Unknown')

/** Who did it. */
export function auditActor({ payload }: AuthAuditEntry): string {
  const name = textIn(payload, 'actor_username')
  if (name === 'service_role') return 'The service key'
  return name ?? textIn(payload, 'actor_id') ?? 'Unknown'
}

/** To whom, where the entry says it. */
export const auditSubject = ({ payload }: AuthAuditEntry): string =>
  textIn(payload['traits'], 'user_email') ?? textIn(payload['traits'], 'user_id') ?? ''
