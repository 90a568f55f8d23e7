import { isDeepStrictEqual } from 'node:util'
import type { ProjectConnection } from '#contract/internal'
import type { Log } from '#kit/log'
import { keySetOf } from '#kit/jwt-key-set'
import { createSecrets } from '#kit/secrets'
import { onAudit } from '../auth/admin/audit-store.ts'
import { createMailer, type Mail, type Mailer } from '../auth/mail/mailer.ts'
import { mailOfSms } from '../auth/sms/sms-outbox.ts'
import type { Sms } from '../auth/sms/sms-providers.ts'
import type { AuthTenant } from '../auth/tenant.ts'
import {
  authConfigOf,
  authSettingsOf,
  ownMailServerOf,
  type OwnMailServer,
} from './project-auth-config.ts'
import type { MailWay } from './project-auth-test-mail.ts'
import { auditEntry, signInEntry } from './log-entries.ts'
import type { Logs } from '../logs/logs.ts'
import type { Meter } from '../usage/meter.ts'
import type { OpenProject } from '../projects/open-project.ts'
import type { Pool } from 'pg'
import { namedByRequest } from '../auth/single-statement-store.ts'
import { isIP } from 'node:net'
import { publicAddressOf } from '#kit/network/public-address'

const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/**
 * Hands mails to the mail server of a project. Its name is looked up for each mail and must stand for a public address:
 * whoever has a project must not reach servers of the inner network through us.
 */
const postTo =
  ({ host, port, user, password, sender }: OwnMailServer, reachesLoopback: boolean) =>
  async ({ to, subject, html, text }: Mail): Promise<void> => {
    const address = await publicAddressOf(host, reachesLoopback)
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      ...timeouts,
      host: address,
      port,
      // On this port TLS begins with the first byte; elsewhere the server is asked for it.
      secure: port === 465,
      ...(user !== '' && { auth: { user, pass: password } }),
      // The certificate is for the name, not for the address that was looked up.
      ...(isIP(host) === 0 && { tls: { servername: host } }),
    })
    try {
      const reader = { name: '', address: to }
      await transport.sendMail({ from: sender, to: reader, subject, html, text })
    } finally {
      transport.close()
    }
  }

/** More would be at the cost of the other projects of this process. */
const maxOfAll = 50
/** How many a pool was made for. */
const usual = new WeakMap<Pool, number>()

/** The same pool, with this many connections at most from now on; undefined: as many as it was made for. */
function limited(pool: Pool, max: number | undefined): Pool {
  const made = usual.get(pool) ?? pool.options.max
  usual.set(pool, made)
  // Read by the pool whenever it wants one more; those that are open beyond it are closed when idle.
  pool.options.max = max === undefined ? made : Math.min(max, maxOfAll)
  return pool
}

export type ProjectMail = Omit<Mail, 'kind'> & { ref: string }

type Options = {
  smtpUrl: string | undefined
  mailFrom: string
  /** Keeps a mail in the local mailbox; used while there is no mail server. */
  keepMail: (mail: ProjectMail) => Promise<void>
  /** Mail servers of projects may be on this machine. */
  reachesLoopback: boolean
  logs: Logs
  meter: Pick<Meter, 'seen'>
  log: Log
}

type Known = {
  connection: ProjectConnection
  tenant: AuthTenant
  /** Ends what the tenant alone has. */
  retire: () => void
  /** It is not to be used any more. */
  isOver?: boolean
}

/** What of a project its tenant is made from. */
const goneBy = ({ settings, signingKeys }: ProjectConnection) => [settings.auth, signingKeys]

/**
 * The auth service's view of a project. One object for as long as the project is open and its settings stay what they
 * are: keys and clients of providers are cached by it. Requests that run go on with the one they began with.
 */
export function createAuthTenants(options: Options) {
  const { smtpUrl, mailFrom, keepMail, reachesLoopback, logs, meter, log } = options
  const known = new WeakMap<OpenProject, Known>()
  const ownMailers = new Set<Mailer>()
  const shared = smtpUrl
    ? createMailer({ smtpUrl, from: mailFrom, deliver: async () => undefined, log })
    : undefined

  function make(project: OpenProject): Known {
    const { connection } = project
    const { ref, url, publicUrl = url, sealingKey, dataSealed } = connection
    const ownSecrets = createSecrets(Buffer.from(sealingKey, 'hex'))
    const settings = authSettingsOf(connection.settings.auth)
    const externalUrl = `${publicUrl}/auth/v1`
    const deliver = (mail: Mail) => keepMail({ ...mail, ref })
    const server = ownMailServerOf(settings)
    const post = server && postTo(server, reachesLoopback)
    const own = post && createMailer({ post, from: mailFrom, deliver, log })
    if (own) ownMailers.add(own)
    const config = authConfigOf(settings)
    const tenant: AuthTenant = {
      id: ref,
      pool: limited(namedByRequest(project.pool('supabase_auth_admin')), config.maxConnections),
      jwt: {
        secret: ownSecrets.derive('auth purposes'),
        keySet: keySetOf(connection),
        // It stays what it was when a project gets a name of its own, so that sessions outlast that.
        issuer: `${url}/auth/v1`,
        expirySeconds: settings.JWT_EXP,
        audience: 'authenticated',
      },
      externalUrl,
      config,
      mailer: own ?? shared ?? createMailer({ from: mailFrom, deliver, log }),
      secrets: dataSealed ? createSecrets(Buffer.from(dataSealed.sealingKey, 'hex')) : ownSecrets,
      sealedFor: dataSealed?.ref ?? ref,
      onActive: ({ id, isSso }) => meter.seen(ref, isSso ? 'sso_users' : 'users', id),
      // Text messages stand beside the mails, where there are any to stand beside.
      ...(!shared && { keepSms: (sms: Sms) => keepMail({ ...mailOfSms(sms), ref }) }),
    }
    onAudit(tenant.pool, (entry) => {
      logs.note(ref, 'auth_audit_logs', auditEntry(entry))
      const signIn = signInEntry(entry)
      if (signIn) logs.note(ref, 'auth_logs', signIn)
    })
    const retire = () => void own?.close().finally(() => ownMailers.delete(own))
    return { connection, tenant, retire }
  }

  /** What is known, as long as it is still true. */
  function current(project: OpenProject): Known | undefined {
    const found = known.get(project)
    if (found?.isOver) return undefined
    if (!found || found.connection === project.connection) return found
    if (!isDeepStrictEqual(goneBy(found.connection), goneBy(project.connection))) {
      found.retire()
      return undefined
    }
    found.connection = project.connection
    return found
  }

  async function byPlatform({ to, subject, html, text }: Mail): Promise<void> {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport(smtpUrl, { from: mailFrom })
    try {
      await transport.sendMail({ to: { name: '', address: to }, subject, html, text })
    } finally {
      transport.close()
    }
  }

  return {
    /** How mails leave, each at once and only once: to try it out. */
    mailsOf({ connection: { ref, settings } }: OpenProject): MailWay {
      const server = ownMailServerOf(authSettingsOf(settings.auth))
      if (server) return { way: 'own', send: postTo(server, reachesLoopback) }
      if (smtpUrl) return { way: 'platform', send: byPlatform }
      return { way: 'mailbox', send: (mail) => keepMail({ ...mail, ref }) }
    },
    of(project: OpenProject): AuthTenant {
      const found = current(project)
      if (found) return found.tenant
      const isFirst = !known.has(project)
      const made = make(project)
      known.set(project, made)
      if (isFirst) project.onClose(() => known.get(project)?.retire())
      return made.tenant
    },
    /** Whoever comes next gets a tenant that remembers nothing; requests that run go on with the one they began with. */
    restart(project: OpenProject): void {
      const found = known.get(project)
      if (found) {
        found.isOver = true
        found.retire()
      }
      project.renew(['supabase_auth_admin'])
    },
    close: async () => {
      const mailers = [...(shared ? [shared] : []), ...ownMailers]
      await Promise.all(mailers.map((mailer) => mailer.close()))
    },
  }
}

export type AuthTenants = ReturnType<typeof createAuthTenants>
