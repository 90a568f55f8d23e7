import { z } from 'zod'
import type { Log } from '#kit/log'
import { createSecrets } from '#kit/secrets'
import { defaultAuthConfig } from './auth/config.ts'
import { createMailer, type Mail, type Mailer } from './auth/mailer.ts'
import { mailOfSms } from './auth/sms-outbox.ts'
import type { Sms } from './auth/sms-providers.ts'
import { smsSettings } from './auth/sms-settings.ts'
import type { AuthTenant } from './auth/tenant.ts'
import type { OpenProject } from './projects/open-project.ts'

/** What the control plane says of a project's auth service; the rest keeps its default. */
const Settings = z.object({
  siteUrl: z.string().default('http://localhost:3000'),
  uriAllowList: z.array(z.string()).default([]),
  disableSignup: z.boolean().default(false),
  anonymousEnabled: z.boolean().default(false),
  mailerAutoconfirm: z.boolean().default(false),
  ...smsSettings,
})

export type ProjectMail = Omit<Mail, 'kind'> & { ref: string }

type Options = {
  smtpUrl: string | undefined
  mailFrom: string
  /** Keeps a mail in the local mailbox; used while there is no mail server. */
  keepMail: (mail: ProjectMail) => Promise<void>
  log: Log
}

/** The auth service's view of a project. One object for as long as the project is open: its keys are cached by it. */
export function createAuthTenants({ smtpUrl, mailFrom, keepMail, log }: Options) {
  const tenants = new WeakMap<OpenProject, AuthTenant>()
  const shared = smtpUrl
    ? createMailer({ smtpUrl, from: mailFrom, deliver: async () => undefined, log })
    : undefined
  const mailerOf = (ref: string): Mailer =>
    shared ?? createMailer({ from: mailFrom, deliver: (mail) => keepMail({ ...mail, ref }), log })

  function make(project: OpenProject): AuthTenant {
    const { ref, url, jwtSecret, sealingKey, settings } = project.connection
    const externalUrl = `${url}/auth/v1`
    return {
      id: ref,
      pool: project.pool('supabase_auth_admin'),
      jwt: {
        secret: jwtSecret,
        issuer: externalUrl,
        expirySeconds: 3600,
        audience: 'authenticated',
      },
      externalUrl,
      config: defaultAuthConfig(Settings.parse(settings.auth)),
      mailer: mailerOf(ref),
      secrets: createSecrets(Buffer.from(sealingKey, 'hex')),
      // Text messages stand beside the mails, where there are any to stand beside.
      ...(!shared && { keepSms: (sms: Sms) => keepMail({ ...mailOfSms(sms), ref }) }),
    }
  }

  return {
    of(project: OpenProject): AuthTenant {
      const known = tenants.get(project) ?? make(project)
      tenants.set(project, known)
      return known
    },
    close: async () => shared?.close(),
  }
}
