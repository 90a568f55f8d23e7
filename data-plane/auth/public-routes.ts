import type { z } from 'zod'
import type { Auth } from './auth.ts'
import { AuthError, invalid } from './errors.ts'
import { normalizeEmail, normalizePhone } from './mail/emails.ts'
import type { Call, Route } from './http.ts'
import { withFragment, withQuery } from './sign-in/redirects.ts'
import * as requests from './requests.ts'
import type { SessionJson } from './sessions/sessions.ts'
import type { Verified, VerifyType } from './sign-in/verification.ts'
import { isPkceToken } from './sign-in/codes.ts'
import { publicKeysOf } from './sessions/jwt.ts'
import type { AuthConfig } from './config.ts'

const health = {
  version: 'v1',
  name: 'Plinth Auth',
  description: 'Plinth Auth signs users in and manages their accounts',
}

/** Every place to sign in that the protocol knows; clients read the whole list. */
const known =
  `apple azure bitbucket discord facebook figma fly github gitlab google keycloak kakao linkedin
  linkedin_oidc notion spotify slack slack_oidc snapchat workos twitch twitter x zoom`.split(/\s+/)

/** What a client may know about the configuration before anybody signs in. */
function settings(config: AuthConfig) {
  return {
    external: {
      ...Object.fromEntries(known.map((name) => [name, false])),
      anonymous_users: config.anonymousEnabled,
      email: config.emailEnabled,
      phone: config.phoneEnabled,
      ...Object.fromEntries(config.external.map(({ name }) => [name, true])),
    },
    /** Not in the protocol: what our own pages write on the buttons. */
    external_labels: Object.fromEntries(config.external.map(({ name, label }) => [name, label])),
    disable_signup: config.disableSignup,
    mailer_autoconfirm: config.mailerAutoconfirm,
    phone_autoconfirm: config.smsAutoconfirm,
    sms_provider: config.smsProvider?.kind ?? '',
    saml_enabled: config.ssoEnabled,
    passkeys_enabled: config.passkeysEnabled,
  }
}

const { challengeIn, needed, onlyOne, parse } = requests
const emailNeeded = 'An email address is required'
const phoneNeeded = 'A phone number is required'
const passwordNeeded = 'Signup requires a valid password'

/** What nobody has to be signed in for. */
export function publicRoutes(auth: Auth): Route[] {
  async function signup(call: Call): Promise<unknown> {
    const body = parse(requests.SignupBody, call.body)
    if (!body.email && !body.phone) return auth.signup.anonymous(call, body.data)
    onlyOne(body)
    const { data, phone, channel } = body
    const password = body.password ?? ''
    if (phone) return auth.phoneSignup.signup(call, { phone, password, data, channel })
    return auth.signup.signup(call, {
      email: needed(body.email, emailNeeded),
      password: needed(password, passwordNeeded),
      data,
      challenge: challengeIn(body),
      redirectTo: call.redirectTo,
    })
  }

  async function token(call: Call): Promise<SessionJson> {
    switch (call.query['grant_type'] ?? '') {
      case 'password': {
        const body = parse(requests.PasswordBody, call.body)
        onlyOne(body)
        const { phone, password = '' } = body
        if (phone) return auth.signIn.withPassword(call, { phone }, password)
        const email = needed(body.email, 'An email address and a password are required')
        return auth.signIn.withPassword(call, { email }, password)
      }
      case 'refresh_token': {
        const body = parse(requests.RefreshBody, call.body)
        const given = needed(body.refresh_token, 'refresh_token required')
        return auth.sessions.refresh(call, given)
      }
      case 'pkce': {
        const body = parse(requests.PkceBody, call.body)
        const message = 'auth_code and code_verifier are required'
        const verifier = needed(body.code_verifier, message)
        return auth.pkce.exchange(call, needed(body.auth_code, message), verifier)
      }
      case 'id_token':
        return idToken(call)
      case 'web3':
        auth.web3.mustBeOn(call)
        return auth.web3.signIn(call, parse(requests.Web3Body, call.body))
      default:
        throw invalid('unsupported grant_type')
    }
  }

  async function idToken(call: Call): Promise<SessionJson> {
    const body = parse(requests.IdTokenBody, call.body)
    const { provider, issuer, access_token: accessToken, nonce } = body
    const idToken = needed(body.id_token ?? undefined, 'id_token required')
    needed(provider ?? issuer, 'provider or client_id and issuer required')
    const who = body.link_identity
      ? await auth.access.signedIn(call.tenant, call.credentials)
      : undefined
    if (who) auth.identities.mayChange(call.tenant, who)
    const linking = who && { userId: who.user.id }
    return auth.idToken.signIn(call, { provider, issuer, idToken, accessToken, nonce, linking })
  }

  async function otp(call: Call): Promise<object> {
    const body = parse(requests.OtpBody, call.body)
    onlyOne(body)
    const { phone, data, channel, create_user: createUser = true } = body
    if (phone) {
      const input = { phone, createUser, data, channel }
      return { message_id: await auth.phoneSignIn.signInByCode(call, input) }
    }
    await mailLink(call, body, { quietly: false })
    return {}
  }

  /** Like `otp` by mail, but the answer is the same for every address, whether or not it gets a mail. */
  async function magicLink(call: Call): Promise<object> {
    const body = parse(requests.OtpBody, call.body)
    onlyOne(body)
    await mailLink(call, body, { quietly: true })
    return {}
  }

  function mailLink(
    call: Call,
    body: z.output<typeof requests.OtpBody>,
    how: { quietly: boolean },
  ): Promise<void> {
    const request = {
      email: needed(body.email, emailNeeded),
      createUser: body.create_user ?? true,
      data: body.data,
      challenge: challengeIn(body),
      redirectTo: call.redirectTo,
    }
    return auth.magicLink.signInByMail(call, request, how)
  }

  async function recover(call: Call): Promise<object> {
    const body = parse(requests.EmailBody, call.body)
    const email = needed(body.email, emailNeeded)
    const { redirectTo } = call
    await auth.magicLink.recover(call, { email, challenge: challengeIn(body), redirectTo })
    return {}
  }

  async function resend(call: Call): Promise<object> {
    const body = parse(requests.ResendBody, call.body)
    onlyOne(body)
    const { type } = body
    if (type === 'sms' || type === 'phone_change') {
      await auth.phoneSignIn.resend(call, type, needed(body.phone, phoneNeeded))
      return {}
    }
    if (type !== 'signup' && type !== 'email_change') {
      throw invalid('type must be signup, email_change, sms or phone_change')
    }
    const email = needed(body.email, emailNeeded)
    const { redirectTo } = call
    await auth.magicLink.resend(call, type, { email, challenge: challengeIn(body), redirectTo })
    return {}
  }

  async function verify(call: Call): Promise<unknown> {
    const body = parse(requests.VerifyBody, call.body)
    onlyOne(body)
    const byPhone = requests.phoneVerifyTypes.safeParse(body.type)
    if (byPhone.success) {
      const phone = normalizePhone(needed(body.phone, phoneNeeded))
      const otp = needed(body.token, 'Verify requires a token')
      return auth.phoneVerification.verify(call, byPhone.data, { phone, otp })
    }
    const type = parse(requests.verifyTypes, body.type ?? '')
    const proof = body.token_hash
      ? { tokenHash: body.token_hash }
      : {
          address: normalizeEmail(needed(body.email, 'Verify requires a token_hash, or an email')),
          otp: needed(body.token, 'Verify requires a token or a token_hash'),
        }
    const verified = await auth.verification.verify(call, type, proof, { byLink: false })
    if (verified.kind === 'session') return verified.session
    return { msg: halfDone, code: '200' }
  }

  /** A followed link: always a redirect, with the session, a code, or why it did not work. */
  async function follow(call: Call): Promise<unknown> {
    const { query, reply, redirectTo } = call
    const given = query['token'] || query['token_hash'] || ''
    const type = requests.verifyTypes.safeParse(query['type'])
    if (!type.success || given === '') throw invalid('Verify requires a token and a known type')
    const proof = { tokenHash: given }
    const target = await auth.verification.verify(call, type.data, proof, { byLink: true }).then(
      (verified) => landing(redirectTo, type.data, verified),
      (error: unknown) => failedLanding(redirectTo, given, error),
    )
    return reply.redirect(target, 303)
  }

  return [
    { method: 'GET', url: '/health', handler: async () => health },
    { method: 'GET', url: '/settings', handler: async ({ tenant }) => settings(tenant.config) },
    {
      method: 'GET',
      url: '/.well-known/jwks.json',
      handler: async ({ reply, tenant }) => {
        // Who keeps it this long knows a standby key well before it is used.
        reply.header('cache-control', 'public, max-age=600')
        return { keys: publicKeysOf(tenant.jwt) }
      },
    },
    { method: 'POST', url: '/signup', handler: signup },
    { method: 'POST', url: '/token', handler: token },
    { method: 'POST', url: '/otp', handler: otp },
    { method: 'POST', url: '/magiclink', handler: magicLink },
    { method: 'POST', url: '/recover', handler: recover },
    { method: 'POST', url: '/resend', handler: resend },
    { method: 'POST', url: '/verify', handler: verify },
    { method: 'GET', url: '/verify', handler: follow },
  ]
}

const halfDone =
  'Confirmation link accepted. Please proceed to confirm the link sent to the other email'

function landing(target: string, type: VerifyType, verified: Verified): string {
  switch (verified.kind) {
    case 'code':
      return withQuery(target, { code: verified.code })
    case 'pending':
      return withFragment(target, { message: halfDone })
    case 'session': {
      const { access_token, expires_at, expires_in, refresh_token, token_type } = verified.session
      const times = { expires_at: String(expires_at), expires_in: String(expires_in) }
      return withFragment(target, { access_token, ...times, refresh_token, token_type, type })
    }
  }
}

function failedLanding(target: string, given: string, error: unknown): string {
  if (!(error instanceof AuthError)) throw error
  const expired = error.code === 'otp_expired'
  const values = {
    error: 'access_denied',
    error_code: error.code,
    error_description: expired ? 'Email link is invalid or has expired' : error.message,
  }
  // A PKCE client looks into the query, every other into the fragment.
  return withFragment(isPkceToken(given) ? withQuery(target, values) : target, values)
}
