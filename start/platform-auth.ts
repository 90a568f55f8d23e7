import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { VerifiedToken } from '#control-plane/access/access'
import type { NewMail } from '#control-plane/mailbox/store'
import { createAuth } from '#data-plane/auth/auth'
import { defaultAuthConfig } from '#data-plane/auth/config'
import { AuthError } from '#data-plane/auth/errors'
import { verifyAccessToken } from '#data-plane/auth/jwt'
import { createMailer } from '#data-plane/auth/mailer'
import { authRoutes } from '#data-plane/auth/routes'
import type { AuthTenant } from '#data-plane/auth/tenant'
import type { Config } from '#kit/config'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secrets'

type Options = {
  pool: Pool
  config: Config
  secrets: Secrets
  log: Log
  keepMail: (mail: NewMail) => Promise<void>
}

/**
 * The dashboard's own users: the same auth service that projects get, as tenant `platform` over the platform database.
 * Passwords are asked to be long, not to hold certain characters; the sign-up page asks for more.
 */
export function createPlatformAuth({ pool, config, secrets, log, keepMail }: Options) {
  const auth = createAuth({ log })
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
      passwordMinLength: 8,
    }),
    mailer,
  }

  return {
    mount(app: FastifyInstance): void {
      void app.register(authRoutes, { prefix: '/auth/v1', auth, tenantOf: async () => tenant })
    },

    async verifyToken(token: string): Promise<VerifiedToken | undefined> {
      try {
        const claims = await verifyAccessToken(tenant.jwt, token)
        if (!claims.email || !(await auth.sessionIsLive(tenant, claims.session_id)))
          return undefined
        return {
          userId: claims.sub,
          email: claims.email,
          sessionId: claims.session_id,
          aal: claims.aal === 'aal2' ? 'aal2' : 'aal1',
        }
      } catch (error) {
        if (error instanceof AuthError) return undefined
        throw error
      }
    },

    close: () => mailer.close(),
  }
}
