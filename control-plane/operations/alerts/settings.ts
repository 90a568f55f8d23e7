import { randomUUID } from 'node:crypto'
import { alerts as api, type Condition } from '#contract/operations/alerts'
import type { Output, Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { Secrets } from '#kit/secrets'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { QueueMail } from '../outgoing-mail/outgoing-mail.ts'
import { secretIdentity } from './alerts.ts'
import { testMail, testPayload } from './messages.ts'
import type { AlertStore, SettingsRow } from './store.ts'
import { newWebhookSecret, type SendMessage } from './webhook.ts'

type Deps = {
  store: AlertStore
  secrets: Secrets
  record: RecordChange
  queueMail: QueueMail
  startJob: (job: Job) => Promise<void>
  send: SendMessage
  url: string
  now: () => Date
}

const shape = ({ emails, webhook_url, muted }: SettingsRow) => ({
  emails,
  webhook_url,
  // Written here, as the contract lets them be.
  muted: muted as Condition[],
})

/** Where alerts go. Who changed it stands in the operator's own audit log: a silenced alert is how an attack begins. */
export function createAlertSettings(deps: Deps) {
  const { store, secrets, record, queueMail, startJob, send, url, now } = deps

  const written = (
    tx: Tx,
    caller: Caller,
    action: string,
    change: Record<string, unknown>,
    origin: Origin,
  ) =>
    record(tx, {
      organizationId: null,
      actor: caller,
      action,
      target: 'installation:alerts',
      change,
      origin,
    })

  return {
    get: async () => shape(await store.settings()),

    set: (
      caller: Caller,
      wanted: Parsed<typeof api.setSettings>,
      origin: Origin,
    ): Promise<Output<typeof api.setSettings>> =>
      store.transaction(async (tx) => {
        const before = await store.lockSettings(tx)
        const after = {
          emails: [...new Set(wanted.emails.map((email) => email.toLowerCase()))],
          webhook_url: wanted.webhook_url,
          muted: [...new Set(wanted.muted)],
        }
        // Another receiver must not know the secret of the one before.
        const isNew = after.webhook_url !== null && after.webhook_url !== before.webhook_url
        const secret = isNew ? newWebhookSecret() : null
        await store.setSettings(tx, {
          ...after,
          ...(secret === null ? {} : { sealed_webhook_secret: sealed(secret) }),
          ...(after.webhook_url === null ? { sealed_webhook_secret: null } : {}),
        })
        await written(tx, caller, api.setSettings.name, { before: shape(before), after }, origin)
        return { ...after, webhook_secret: secret }
      }),

    newSecret: (caller: Caller, origin: Origin): Promise<Output<typeof api.newSecret>> =>
      store.transaction(async (tx) => {
        const { webhook_url } = await store.lockSettings(tx)
        if (webhook_url === null)
          throw new ApiError('invalid_input', 'Set the URL of the webhook first')
        const secret = newWebhookSecret()
        await store.setSettings(tx, { sealed_webhook_secret: sealed(secret) })
        await written(tx, caller, api.newSecret.name, {}, origin)
        return { webhook_secret: secret }
      }),

    async test(): Promise<Output<typeof api.test>> {
      const { emails, webhook_url, sealed_webhook_secret } = await store.settings()
      const jobs = await store.transaction(async (tx) => {
        const queued: Job[] = []
        for (const to of emails) queued.push(await queueMail(tx, testMail(to, url)))
        return queued
      })
      for (const job of jobs) await startJob(job)
      if (webhook_url === null || sealed_webhook_secret === null)
        return { mails: jobs.length, webhook: null }
      const secret = secrets.open(sealed_webhook_secret, secretIdentity)
      const message = { id: randomUUID(), body: testPayload(url, now()) }
      const failure = await send({ url: webhook_url, secret }, message, now())
      return {
        mails: jobs.length,
        webhook: { ok: failure === undefined, failure: failure ?? null },
      }
    },
  }

  function sealed(secret: string): string {
    return secrets.seal(secret, secretIdentity)
  }
}
export type AlertSettings = ReturnType<typeof createAlertSettings>
