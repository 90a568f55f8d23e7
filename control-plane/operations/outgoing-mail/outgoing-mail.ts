import { randomUUID } from 'node:crypto'
import type { Job, JobHandler } from '#kit/jobs'
import type { Secrets } from '#kit/secrets'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../jobs/store.ts'
import type { OutgoingMailStore } from './store.ts'

/** A finished mail. */
export type OutgoingMail = {
  to: string
  subject: string
  text: string
  html: string
  replyTo?: string
  attachments?: { filename: string; contentType: string; base64: string }[]
}

/** Hands a mail over: to the mail server, or into the mailbox. Rejects when it was not taken. */
export type SendMail = (mail: OutgoingMail) => Promise<void>

/**
 * Writes a mail down in the transaction of the change that causes it. Start the job it returns after the commit; a crash
 * before that only delays the mail.
 */
export type QueueMail = (tx: Tx, mail: OutgoingMail) => Promise<Job>

type Deps = {
  store: OutgoingMailStore
  secrets: Secrets
  acceptJob: AcceptJob
  send: SendMail
}

/** About two hours of trying before the mail is given up and the job tells why. */
const retries = { attempts: 12, seconds: 2 }
const identity = (id: string) => `mail:${id}`

/** Mails that leave after a change is committed, once, also when the process dies in between. */
export function createOutgoingMail({ store, secrets, acceptJob, send }: Deps) {
  const queue: QueueMail = async (tx, mail) => {
    const id = randomUUID()
    const { to, ...content } = mail
    const sealed = secrets.seal(JSON.stringify(content), identity(id))
    await store.insert(tx, { id, recipient: to, sealed_content: sealed })
    return acceptJob(tx, 'mail.send', id)
  }

  const workflows: Record<string, JobHandler> = {
    'mail.send': async (job, step) => {
      await step(
        'send',
        async () => {
          const mail = await store.waiting(job.subject)
          if (!mail) return
          // Written by `queue` and sealed since.
          const content = JSON.parse(secrets.open(mail.sealed_content, identity(mail.id))) as Omit<
            OutgoingMail,
            'to'
          >
          await send({ to: mail.recipient, ...content })
          await store.markSent(mail.id)
        },
        retries,
      )
    },
  }

  return { queue, workflows }
}
