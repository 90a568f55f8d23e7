import { needSecondFactor, type SignedIn } from '../access.ts'
import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { refuseDuplicate } from '../sign-in/email-change.ts'
import { AuthError } from '../errors.ts'
import { identitiesOf, type IdentityRow } from './identities-store.ts'
import { deleteIdentity } from './identity-store.ts'
import { metadataOf } from './metadata.ts'
import { inTransaction, type Db } from '../store.ts'
import type { AuthTenant, Caller } from '../tenant.ts'
import type { UserRow } from './user-row.ts'
import { updateUser, userById, type UserChanges } from './users-store.ts'

/** Which ways of signing in an account has: what its owner may take away, and who may change them at all. */
export function createIdentities({ now }: AuthDeps) {
  /** Refuses whoever may not change them: linking is off, the account is an organization's, or half signed in. */
  function mayChange(tenant: AuthTenant, who: SignedIn): void {
    if (!tenant.config.manualLinking) throw new AuthError('manual_linking_disabled')
    if (who.user.is_sso_user) throw new AuthError('user_sso_managed')
    needSecondFactor(who, 'Show your second factor before you change how you sign in')
  }

  /** Takes an identity off an account. 422 `identity_not_found`, `single_identity_not_deletable`. */
  async function unlink(caller: Caller, who: SignedIn, id: string): Promise<void> {
    mayChange(caller.tenant, who)
    await inTransaction(caller.tenant.pool, async (tx) => {
      const at = now()
      const user = await userById(tx, who.user.id, { lock: true })
      if (!user) throw new AuthError('session_not_found')
      const all = await identitiesOf(tx, [user.id])
      const gone = all.find((identity) => identity.id === id)
      if (!gone) throw new AuthError('identity_not_found')
      const rest = all.filter((identity) => identity !== gone)
      if (rest.length === 0) throw new AuthError('single_identity_not_deletable')
      await deleteIdentity(tx, gone.id)
      const email = emailAfter(user, rest)
      await updateUser(tx, user.id, changesWithout(user, gone, rest, email), at).catch(
        refuseConflict,
      )
      if (email !== null && email !== user.email) await moved(tx, caller.tenant, user.id, email)
      const traits = { provider: gone.provider }
      await audit(tx, { action: 'identity_unlinked', actor: user, ip: caller.ip, traits }, at)
    })
  }

  return { mayChange, unlink }
}

async function moved(tx: Db, tenant: AuthTenant, userId: string, email: string): Promise<void> {
  await tenant.onEmailChanged?.(tx, userId, email)
}

/** The address stays as long as one of the other ways vouches for it, else it becomes one that they do vouch for. */
function emailAfter(user: UserRow, rest: readonly IdentityRow[]): string | null {
  const vouched = rest
    .filter((row) => row.provider === 'email' || row.identity_data['email_verified'] === true)
    .flatMap((row) => (row.email === null ? [] : [row.email]))
  return vouched.includes(user.email?.toLowerCase() ?? '') ? user.email : (vouched[0] ?? user.email)
}

function changesWithout(
  user: UserRow,
  gone: IdentityRow,
  rest: readonly IdentityRow[],
  email: string | null,
): UserChanges {
  const providers = [...new Set(rest.map((row) => row.provider))]
  const app = metadataOf(user.raw_app_meta_data)
  const provider = providers.find((name) => name === app['provider']) ?? providers[0]
  return {
    email,
    raw_app_meta_data: { ...app, provider, providers },
    // Without the identity there is no signing in by password any more.
    ...(gone.provider === 'email' && { encrypted_password: null }),
    ...(gone.provider === 'phone' && { phone: null, phone_confirmed_at: null }),
    ...(gone.provider === 'phone' && !providers.includes('email') && { encrypted_password: null }),
  }
}

function refuseConflict(error: unknown): never {
  try {
    refuseDuplicate(error)
  } catch (refusal) {
    if (refusal instanceof AuthError) throw new AuthError('email_conflict_identity_not_deletable')
    throw refusal
  }
}
