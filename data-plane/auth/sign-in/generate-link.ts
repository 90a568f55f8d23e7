import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { refuseTakenEmail } from './email-change.ts'
import { normalizeEmail } from '../mail/emails.ts'
import { AuthError, invalid } from '../errors.ts'
import { saveEmailIdentity } from '../users/identities-store.ts'
import { sendMails } from '../hooks/mail-hook.ts'
import { mergeMetadata, type Metadata } from '../users/metadata.ts'
import { createUser } from '../users/new-user.ts'
import { issueLink, mailOf, type LinkType, type OneTimeLink } from './one-time.ts'
import type { OneTimeTokenType } from './one-time-tokens-store.ts'
import { checkPassword } from './passwords.ts'
import { newUserValues } from './signup.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { withoutProviders } from './unproven.ts'
import { loadUserJson, type UserJson } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser, userByEmail, type UserChanges } from '../users/users-store.ts'

export const linkTypes = [
  ...(['signup', 'invite', 'magiclink', 'recovery'] as const),
  ...(['email_change_current', 'email_change_new'] as const),
]
export type GenerateType = (typeof linkTypes)[number]

export type GenerateInput = {
  type: GenerateType
  email: string
  newEmail: string | undefined
  password: string | undefined
  data: Metadata | undefined
  redirectTo: string
}

export type GeneratedLink = UserJson & {
  action_link: string
  email_otp: string
  hashed_token: string
  verification_type: GenerateType
  redirect_to: string
}

const kinds: Record<GenerateType, { type: LinkType; tokenType: OneTimeTokenType }> = {
  signup: { type: 'signup', tokenType: 'confirmation_token' },
  invite: { type: 'invite', tokenType: 'confirmation_token' },
  magiclink: { type: 'magiclink', tokenType: 'recovery_token' },
  recovery: { type: 'recovery', tokenType: 'recovery_token' },
  email_change_current: { type: 'email_change', tokenType: 'email_change_token_current' },
  email_change_new: { type: 'email_change', tokenType: 'email_change_token_new' },
}

type Made = { user: UserRow; link: OneTimeLink; json: UserJson }

/** Links that an administrator hands over, and invitations by mail. */
export function createGenerateLink({ now, passwords, leaked, limits }: AuthDeps) {
  /** Makes a link without sending a mail. */
  async function generate(caller: Caller, input: GenerateInput): Promise<GeneratedLink> {
    const { json, link } = await make(caller, input)
    return {
      ...json,
      action_link: link.url,
      email_otp: link.otp,
      hashed_token: link.token,
      verification_type: input.type,
      redirect_to: link.redirectTo,
    }
  }

  async function invite(
    caller: Caller,
    input: Pick<GenerateInput, 'email' | 'data' | 'redirectTo'>,
  ): Promise<UserJson> {
    const email = normalizeEmail(input.email)
    await limits.mail(caller, 'invite', email)
    const request = { ...input, type: 'invite', newEmail: undefined, password: undefined } as const
    const { user, link, json } = await make(caller, request)
    await sendMails(caller, [mailOf(caller.tenant, 'invite', user, link)])
    return json
  }

  async function make(caller: Caller, input: GenerateInput): Promise<Made> {
    const { tenant } = caller
    const email = normalizeEmail(input.email)
    const newEmail = newAddress(input)
    const hash = await hashFor(caller, input)
    return inTransaction(tenant.pool, async (tx) => {
      const at = now()
      const target = await targetUser(tx, caller, email, input, hash, at)
      const user = newEmail === undefined ? target : await noteChange(tx, target, newEmail, at)
      const address =
        input.type === 'email_change_new' ? (newEmail ?? email) : (user.email ?? email)
      const request = {
        ...kinds[input.type],
        address,
        redirectTo: input.redirectTo,
      }
      const issued = await issueLink(tx, tenant, user, request, at)
      await record(tx, caller, input.type, issued.user, at)
      return { ...issued, json: await loadUserJson(tx, issued.user) }
    })
  }

  async function hashFor({ tenant }: Caller, input: GenerateInput): Promise<string | undefined> {
    if (input.type !== 'signup') return undefined
    if (!input.password) throw invalid('Signup requires a valid password')
    checkPassword(tenant.config, input.password)
    await leaked.refuse(tenant, input.password)
    return passwords.hash(input.password)
  }

  return { generate, invite }
}

/** The account a link is for: sign-up, invitation and magic link make it when there is none. */
async function targetUser(
  tx: Db,
  caller: Caller,
  email: string,
  { type, data }: GenerateInput,
  hash: string | undefined,
  at: Date,
): Promise<UserRow> {
  const known = await userByEmail(tx, email, { lock: true })
  const creates = type === 'signup' || type === 'invite'
  if (known && creates && known.email_confirmed_at) throw new AuthError('email_exists')
  if (!known && !creates && type !== 'magiclink') throw new AuthError('user_not_found')
  if (known && creates) await withoutProviders(tx, known, at)
  const changes: UserChanges = {
    ...(hash !== undefined && { encrypted_password: hash }),
    ...(type === 'invite' && { invited_at: at }),
    ...(data &&
      (creates || !known) && {
        raw_user_meta_data: mergeMetadata(known?.raw_user_meta_data, data),
      }),
  }
  const saved = known
    ? await updateUser(tx, known.id, changes, at)
    : await createUser(tx, caller, { ...newUserValues(email), ...changes }, at)
  if (!saved) throw new AuthError('email_exists')
  if (!known) await saveEmailIdentity(tx, saved.id, { address: email, verified: false }, at)
  return saved
}

async function noteChange(tx: Db, user: UserRow, newEmail: string, at: Date): Promise<UserRow> {
  await refuseTakenEmail(tx, user, newEmail)
  const changes = { email_change: newEmail, email_change_confirm_status: 0 }
  return (await updateUser(tx, user.id, changes, at)) ?? user
}

function newAddress({ type, newEmail }: GenerateInput): string | undefined {
  if (type !== 'email_change_current' && type !== 'email_change_new') return undefined
  if (!newEmail) throw invalid('new_email is required to change an address')
  return normalizeEmail(newEmail)
}

async function record(
  tx: Db,
  { ip }: Caller,
  type: GenerateType,
  user: UserRow,
  at: Date,
): Promise<void> {
  const action = type === 'invite' ? 'user_invited' : 'user_recovery_requested'
  const traits = { user_id: user.id, user_email: user.email ?? '', link: type }
  await audit(tx, { action, actor: undefined, ip, traits }, at)
}
