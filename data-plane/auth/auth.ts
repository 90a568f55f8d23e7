import type { Log } from '#kit/log'
import { createSafeFetch, type SafeFetch } from '#kit/network/safe-fetch'
import { createAccess } from './access.ts'
import { createAdmin } from './admin/admin.ts'
import { createCaptcha } from './sign-in/captcha.ts'
import { createCustomProviders } from './external/custom-providers.ts'
import type { AuthDeps } from './deps.ts'
import { createExternal } from './external/external-flow.ts'
import { createGenerateLink } from './sign-in/generate-link.ts'
import { hookTimeouts, type HookTimeouts } from './hooks/hook-http.ts'
import { createHooks } from './hooks/hooks.ts'
import { createIdToken } from './external/id-token.ts'
import { createIdentities } from './users/identity-linking.ts'
import { createLeakedPasswords } from './sign-in/leaked-passwords.ts'
import { createMagicLink } from './sign-in/magic-link.ts'
import { createMfa } from './mfa/mfa.ts'
import { createMfaWebauthn } from './mfa/mfa-webauthn.ts'
import { createOauthClients } from './oauth-server/oauth-clients.ts'
import { createOauthServer } from './oauth-server/oauth-server.ts'
import { createOauthToken } from './oauth-server/oauth-token.ts'
import { createPasskeys } from './passkeys/passkeys.ts'
import { createPasswords, type PasswordLimits } from './sign-in/passwords.ts'
import { createPeople } from './admin/people.ts'
import { createPhoneSignIn } from './sms/phone-sign-in.ts'
import { createPhoneSignup } from './sms/phone-signup.ts'
import { createPhoneVerification } from './sms/phone-verification.ts'
import { createPkce } from './sign-in/pkce.ts'
import { createRateLimits, type SharedCounts } from './sign-in/rate-limits.ts'
import { createRecoveryCodes } from './mfa/recovery-codes.ts'
import { createSessions } from './sessions/sessions.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createSignup } from './sign-in/signup.ts'
import { createSso, createSsoAdapters } from './sso/sso.ts'
import { createSsoProviders } from './sso/sso-providers.ts'
import { createUsers } from './users/users.ts'
import { createVerification } from './sign-in/verification.ts'
import { createWeb3 } from './web3/web3.ts'

export type AuthOptions = {
  log: Log
  /** The clock; tests set it. */
  now?: () => Date
  /** How addresses that tenants name are reached; tests reach this machine. */
  fetch?: SafeFetch
  /** How many passwords are hashed at once, and how many may wait. */
  limits?: PasswordLimits
  /** How long hooks at addresses may take; tests do not wait so long. */
  hookTimeouts?: HookTimeouts
  /** Where limits are counted together with other programs; undefined while there is none. */
  sharedCounts?: (() => SharedCounts | undefined) | undefined
}

/** The auth service of one process, for any number of tenants. It keeps counters and caches but no state that matters. */
export function createAuth({
  log,
  now = () => new Date(),
  fetch = createSafeFetch(),
  limits,
  hookTimeouts: timeouts = hookTimeouts,
  sharedCounts,
}: AuthOptions) {
  const deps: AuthDeps = {
    log,
    now,
    fetch,
    passwords: createPasswords(limits),
    leaked: createLeakedPasswords({ fetch, log }),
    limits: createRateLimits(log, sharedCounts),
  }
  const sessions = createSessions(deps)
  const access = createAccess(deps)
  const ssoAdapters = createSsoAdapters(deps)
  const external = createExternal(deps, sessions, ssoAdapters)
  return {
    log,
    now,
    hashCount: deps.passwords.hashCount,
    captcha: createCaptcha(deps),
    hooks: createHooks(deps, timeouts),
    access,
    sessions,
    signup: createSignup(deps, sessions),
    signIn: createSignIn(deps, sessions),
    pkce: createPkce(deps, sessions),
    magicLink: createMagicLink(deps),
    verification: createVerification(deps, sessions),
    phoneSignup: createPhoneSignup(deps, sessions),
    phoneSignIn: createPhoneSignIn(deps),
    phoneVerification: createPhoneVerification(deps, sessions),
    users: createUsers(deps),
    admin: createAdmin(deps),
    links: createGenerateLink(deps),
    external,
    idToken: createIdToken(deps, sessions),
    sso: createSso(deps, sessions, external, ssoAdapters),
    ssoProviders: createSsoProviders(deps),
    identities: createIdentities(deps),
    people: createPeople(deps),
    mfa: createMfa(deps, sessions),
    mfaWebauthn: createMfaWebauthn(deps, sessions),
    recoveryCodes: createRecoveryCodes(deps, sessions),
    customProviders: createCustomProviders(deps),
    web3: createWeb3(deps, sessions),
    oauthServer: createOauthServer(deps),
    oauthToken: createOauthToken(deps, sessions),
    oauthClients: createOauthClients(deps),
    passkeys: createPasskeys(deps, sessions),
  }
}
export type Auth = ReturnType<typeof createAuth>
