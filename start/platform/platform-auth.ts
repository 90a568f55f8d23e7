import type { FastifyInstance } from 'fastify'
import type { HideableFeature } from '#contract/features'
import type { Pool } from 'pg'
import type { People, VerifiedToken } from '#control-plane/access/access'
import type { NewMail } from '#control-plane/operations/mailbox/store'
import { createAuth } from '#data-plane/auth/auth'
import type { SharedCounts } from '#data-plane/auth/sign-in/rate-limits'
import { defaultAuthConfig } from '#data-plane/auth/config'
import { createMailer } from '#data-plane/auth/mail/mailer'
import { authRoutes } from '#data-plane/auth/routes'
import type { AuthTenant } from '#data-plane/auth/tenant'
import type { Config } from '#kit/config'
import type { Log } from '#kit/log'
import { createSafeFetch, type SafeFetch } from '#kit/network/safe-fetch'
import type { Secrets } from '#kit/secrets'
import { createSsoGateway } from './platform-sso.ts'
import { ensureAdmin } from '../self-hosted.ts'

type Options = {
  pool: Pool
  config: Config
  secrets: Secrets
  log: Log
  keepMail: (mail: NewMail) => Promise<void>
  /** Lets the platform's own record of a person follow their address. */
  onEmailChanged: NonNullable<AuthTenant['onEmailChanged']>
  /** Whether somebody asks them in, where sign-up is closed. */
  isInvited: (email: string) => Promise<boolean>
  /** Somebody came through an organization's identity provider. */
  onSsoSignIn: NonNullable<AuthTenant['onSsoSignIn']>
  /** How identity providers are reached; tests reach this machine. */
  fetch?: SafeFetch
  /** Where limits are counted together with other control planes. */
  sharedCounts?: SharedCounts | undefined
}

/** Where other places post people back to; their pages have other origins. */
export const signInForms = ['/auth/v1/callback', '/auth/v1/sso/saml/acs']

/**
 * The dashboard's own users: the same auth service that projects get, as tenant `platform` over the platform database.
 * Passwords are asked to be long, not to hold certain characters; the sign-up page asks for more.
 */
export function createPlatformAuth({
  pool,
  config,
  secrets,
  log,
  keepMail,
  onEmailChanged,
  isInvited,
  onSsoSignIn,
  fetch = createSafeFetch(),
  sharedCounts,
}: Options) {
  const auth = createAuth({ log, fetch, ...(sharedCounts && { sharedCounts: () => sharedCounts }) })
  const isOff = (feature: HideableFeature) => config.disabledFeatures.includes(feature)
  const externalUrl = `${config.url}/auth/v1`
  const mailer = createMailer({
    smtpUrl: config.smtpUrl,
    from: config.mailFrom,
    deliver: ({ to, subject, text, html }) =>
      keepMail({ tenant: 'platform', recipient: to, subject, text, html }),
    log,
  })
  const tenant: AuthTenant = {
    id: 'platform',
    pool,
    jwt: {
      secret: secrets.derive('platform auth tokens'),
      issuer: externalUrl,
      expirySeconds: 3600,
      audience: 'authenticated',
    },
    externalUrl,
    config: defaultAuthConfig({
      siteUrl: config.url,
      uriAllowList: [`${config.url}/**`],
      // Without a mail server nobody could confirm, so a newcomer is let in at once.
      mailerAutoconfirm: !config.smtpUrl,
      // That mail can be read: it is in the mailbox then.
      emailChangeAutoconfirm: false,
      securePasswordChange: true,
      passwordMinLength: 8,
      // The operator of one database lets people in by hand.
      disableSignup: config.selfHosted !== undefined || isOff('dashboard_auth:sign_up'),
      emailEnabled: !isOff('dashboard_auth:sign_in_with_email'),
      external: config.signInProviders.filter(
        ({ name }) => name !== 'github' || !isOff('dashboard_auth:sign_in_with_github'),
      ),
      manualLinking: true,
      bindSignIns: true,
      ssoEnabled: !isOff('dashboard_auth:sign_in_with_sso'),
      ssoNeedsDomain: true,
    }),
    mailer,
    secrets,
    // Through an organization's own provider come its own people.
    admits: async ({ email, sso }) => sso || isInvited(email),
    onEmailChanged,
    onSsoSignIn,
  }

  const people: People = {
    facts: (userIds) => auth.people.facts(tenant, userIds),
    remove: (userId) => auth.people.remove(tenant, userId),
    revokeSessions: (userId) => auth.people.revokeSessions(tenant, userId),
  }

  return {
    people,
    sso: createSsoGateway(auth, tenant),
    ensureAdmin: (email: string) => ensureAdmin(auth, tenant, { home: config.home, email }),

    mount(app: FastifyInstance): void {
      void app.register(authRoutes, { prefix: '/auth/v1', auth, tenantOf: async () => tenant })
    },

    async verifyToken(token: string): Promise<VerifiedToken | undefined> {
      return auth.access.holderOf(tenant, token)
    },

    close: () => mailer.close(),
  }
}
