import { audit } from '../admin/audit-store.ts'
import { normalizeEmail } from '../mail/emails.ts'
import { AuthError } from '../errors.ts'
import type { ExternalProfile } from './external-providers.ts'
import { deleteIdentities, identitiesOf } from '../users/identities-store.ts'
import { addIdentity, deleteFactors, identityAt, refreshIdentity } from '../users/identity-store.ts'
import { mergeMetadata, metadataOf, withProvider, type Metadata } from '../users/metadata.ts'
import { createUser } from '../users/new-user.ts'
import { deleteOneTimeTokens } from '../sign-in/one-time-tokens-store.ts'
import { deletePasskeys } from '../passkeys/passkeys-store.ts'
import { deleteSessions } from '../sessions/sessions-store.ts'
import { newUserValues } from '../sign-in/signup.ts'
import type { Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { isBanned } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser, userByEmail, userById } from '../users/users-store.ts'

/**
 * The account that somebody who signed in at a provider gets: the one that has the identity, else the one of their
 * verified address, else a new one. An address that the provider does not call verified leads to no account that is
 * there, but to a new one that waits for its mail (`external-confirmation.ts`).
 */
export async function accountFor(
  tx: Db,
  caller: Caller,
  profile: ExternalProfile,
  at: Date,
): Promise<UserRow> {
  const known = await identityAt(tx, profile.provider, profile.subject)
  if (known) {
    const user = await userById(tx, known.user_id, { lock: true })
    if (!user || user.deleted_at) throw new AuthError('user_not_found')
    if (isBanned(user, at)) throw new AuthError('user_banned', undefined, { status: 403 })
    const now = emailOf(profile)
    await refreshIdentity(tx, known.id, identityData(profile, now), at)
    // The provider has found out meanwhile.
    const isProof = now?.verified === true && now.address === user.email
    if (isProof && !user.email_confirmed_at) {
      await deleteOneTimeTokens(tx, user.id)
      return (await updateUser(tx, user.id, { email_confirmed_at: at }, at)) ?? user
    }
    const traits = { provider: profile.provider }
    await audit(tx, { action: 'login', actor: user, ip: caller.ip, traits }, at)
    return user
  }
  const email = emailOf(profile)
  if (!email || (!email.verified && !isAskedByMail(profile))) throw unverified(profile)
  const found = profile.sso ? undefined : await userByEmail(tx, email.address, { lock: true })
  if (!found) return create(tx, caller, profile, email, at)
  if (!email.verified) throw unverified(profile)
  return join(tx, caller, found, profile, email.address, at)
}

/** GitHub lets people verify there, and its clients know the refusal; organizations vouch for their addresses or do not. */
const isAskedByMail = ({ sso, provider }: ExternalProfile) => !sso && provider !== 'github'

/** Adds the identity to the account of somebody who is signed in and asked for it. */
export async function linkIdentity(
  tx: Db,
  caller: Caller,
  userId: string,
  profile: ExternalProfile,
  at: Date,
): Promise<UserRow> {
  const user = await userById(tx, userId, { lock: true })
  if (!user || user.deleted_at || user.is_sso_user) throw new AuthError('user_not_found')
  if (isBanned(user, at)) throw new AuthError('user_banned', undefined, { status: 403 })
  const email = emailOf(profile)
  const known = await identityAt(tx, profile.provider, profile.subject)
  if (known) {
    const mine = known.user_id === user.id
    throw new AuthError(
      'identity_already_exists',
      mine ? 'Identity is already linked' : 'Identity is already linked to another user',
    )
  }
  return add(tx, caller, user, profile, email, at)
}

/**
 * Joins a verified identity to the account of its address. What somebody set up there before anybody proved to own the
 * address may be a trap: it goes. Where addresses count as confirmed without proof nobody knows whose the account is,
 * and so it is joined only by whoever can sign in to it.
 */
async function join(
  tx: Db,
  caller: Caller,
  user: UserRow,
  profile: ExternalProfile,
  address: string,
  at: Date,
): Promise<UserRow> {
  if (isBanned(user, at)) throw new AuthError('user_banned', undefined, { status: 403 })
  if (user.email_confirmed_at && !(await isProven(tx, user))) {
    throw new AuthError('user_already_exists', unproven)
  }
  const clean = user.email_confirmed_at ? user : await withoutPast(tx, user, at)
  return add(tx, caller, clean, profile, { address, verified: true }, at)
}

const unproven =
  'There is an account with this address. Sign in with its password, then link this login in your account'

/** Whether the account's address was ever proven: its own identity says so, or no identity says otherwise. */
async function isProven(tx: Db, user: UserRow): Promise<boolean> {
  const identities = await identitiesOf(tx, [user.id])
  const own = identities.filter((row) => row.provider === 'email')
  const about = own.length > 0 ? own : identities.filter((row) => row.email === user.email)
  return about.every((row) => row.identity_data['email_verified'] === true)
}

async function withoutPast(tx: Db, user: UserRow, at: Date): Promise<UserRow> {
  await deleteSessions(tx, user.id, { all: true })
  await deleteOneTimeTokens(tx, user.id)
  await deleteIdentities(tx, user.id)
  await deleteFactors(tx, user.id)
  await deletePasskeys(tx, user.id)
  const changes = {
    encrypted_password: null,
    email_confirmed_at: at,
    raw_app_meta_data: {},
    raw_user_meta_data: {},
  }
  return (await updateUser(tx, user.id, changes, at)) ?? user
}

async function create(
  tx: Db,
  caller: Caller,
  profile: ExternalProfile,
  email: { address: string; verified: boolean },
  at: Date,
): Promise<UserRow> {
  const { tenant } = caller
  const { disableSignup, mailerAutoconfirm } = tenant.config
  const newcomer = { email: email.address, sso: profile.sso }
  if (disableSignup && !(await tenant.admits?.(newcomer))) throw new AuthError('signup_disabled')
  const values = {
    ...newUserValues(email.address),
    raw_app_meta_data: {},
    email_confirmed_at: email.verified || mailerAutoconfirm ? at : null,
    is_sso_user: profile.sso,
  }
  const columns = {
    raw_app_meta_data: withProvider({}, profile.provider),
    raw_user_meta_data: identityData(profile, email),
  }
  const user = await createUser(tx, caller, values, at, { columns })
  if (!user) throw new AuthError('conflict')
  const traits = { provider: profile.provider }
  await audit(tx, { action: 'user_signedup', actor: user, ip: caller.ip, traits }, at)
  return add(tx, caller, user, profile, email, at, { quiet: true })
}

async function add(
  tx: Db,
  { ip }: Caller,
  user: UserRow,
  profile: ExternalProfile,
  email: { address: string; verified: boolean } | undefined,
  at: Date,
  { quiet = false } = {},
): Promise<UserRow> {
  const { provider, subject } = profile
  const data = identityData(profile, email)
  if (!(await addIdentity(tx, { userId: user.id, provider, subject, data }, at))) {
    throw new AuthError('conflict')
  }
  if (!quiet) {
    const traits = { provider }
    await audit(tx, { action: 'identity_linked', actor: user, ip, traits }, at)
  }
  const owned = metadataOf(user.raw_user_meta_data)
  const fresh = Object.fromEntries(Object.entries(data).filter(([name]) => !(name in owned)))
  const becomesPermanent = user.is_anonymous && email?.verified === true
  const changes = {
    raw_app_meta_data: withProvider(user.raw_app_meta_data, provider),
    raw_user_meta_data: mergeMetadata(owned, fresh),
    ...(becomesPermanent && { is_anonymous: false }),
    ...(becomesPermanent && !user.email && { email: email.address, email_confirmed_at: at }),
  }
  return (await updateUser(tx, user.id, changes, at)) ?? user
}

function identityData(
  { subject, metadata }: ExternalProfile,
  email: { address: string; verified: boolean } | undefined,
): Metadata {
  return {
    ...metadata,
    sub: subject,
    provider_id: subject,
    ...(email && { email: email.address, email_verified: email.verified }),
    phone_verified: false,
  }
}

/** The address in our form; one that we could not write down is none. */
function emailOf({ email }: ExternalProfile): ExternalProfile['email'] {
  if (!email) return undefined
  try {
    return { ...email, address: normalizeEmail(email.address) }
  } catch (error) {
    if (error instanceof AuthError) return undefined
    throw error
  }
}

/** Clients match on this text for GitHub; they know what to advise then (requirements §8). */
function unverified({ provider }: ExternalProfile): AuthError {
  const message =
    provider === 'github'
      ? 'Error sending confirmation mail'
      : `Your email address is not verified at ${provider}. Verify it there, then sign in again`
  return new AuthError('provider_email_needs_verification', message)
}
