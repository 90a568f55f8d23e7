import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '#kit/log'
import { AuthError } from '../errors.ts'
import type { MailKind } from './mail-templates.ts'

/** A finished mail for one reader. */
export type Mail = {
  kind: MailKind
  to: string
  subject: string
  html: string
  text: string
}

export type Mailer = {
  /** Resolves when the mail is accepted for delivery: stored in the local mailbox, or queued for SMTP. */
  send(mail: Mail): Promise<void>
  /** Waits a few seconds for what is still queued. */
  close(): Promise<void>
}

type Options = {
  /** With it mails leave by SMTP, without it they go to `deliver`. */
  smtpUrl?: string | undefined
  /** Instead of `smtpUrl`: hands one mail to a mail server, and rejects when that does not take it. */
  post?: ((mail: Mail) => Promise<void>) | undefined
  /** The sender, for example "Plinth <noreply@example.com>". */
  from: string
  /** Keeps a mail in the local mailbox. */
  deliver: (mail: Mail) => Promise<void>
  log: Log
  /** Milliseconds before each further attempt by SMTP. */
  retryAfter?: readonly number[]
}

const longestQueue = 1000

export function createMailer(options: Options): Mailer {
  const { smtpUrl, post, from } = options
  if (post) return queuedMailer(post, async () => undefined, options)
  if (smtpUrl === undefined) return { send: options.deliver, close: async () => undefined }
  const transport = import('nodemailer').then((mail) => mail.createTransport(smtpUrl, { from }))
  const send = async ({ to, subject, html, text }: Mail) =>
    void (await (await transport).sendMail({ to: { name: '', address: to }, subject, html, text }))
  return queuedMailer(send, async () => (await transport).close(), options)
}

/**
 * Requests do not wait for the mail server: how long it takes would tell who has an account. Mails are sent in the
 * background, tried again a few times, and a mail that cannot be delivered is logged without its content.
 */
function queuedMailer(
  post: (mail: Mail) => Promise<void>,
  hangUp: () => Promise<void>,
  { log, retryAfter = [1_000, 5_000, 30_000] }: Options,
): Mailer {
  const pending = new Set<Promise<void>>()
  const stop = new AbortController()

  async function attempt(mail: Mail, left: readonly number[]): Promise<void> {
    const { kind } = mail
    try {
      await post(mail)
    } catch (error) {
      const [wait, ...further] = left
      const reason = error instanceof Error ? error.message : String(error)
      if (wait === undefined || stop.signal.aborted) {
        log.error({ kind, reason }, 'a mail could not be delivered')
        return
      }
      log.warn({ kind, reason }, 'a mail could not be delivered yet')
      // Ends early when the program stops; the mail then has one last attempt.
      await delay(wait, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
      await attempt(mail, further)
    }
  }

  return {
    async send(mail) {
      if (pending.size >= longestQueue) {
        throw new AuthError('over_email_send_rate_limit', undefined, { retryAfter: 60 })
      }
      const work = attempt(mail, retryAfter).finally(() => pending.delete(work))
      pending.add(work)
    },
    async close() {
      stop.abort()
      await Promise.race([Promise.allSettled(pending), delay(5_000, undefined, { ref: false })])
      await hangUp()
    },
  }
}
