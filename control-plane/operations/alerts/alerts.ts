import type { Condition } from '#contract/operations/alerts'
import type { HealthFindings } from '#contract/operations/health'
import { failpoint } from '#kit/failpoints'
import type { Job } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { Secrets } from '#kit/secrets'
import type { Tx } from '../../platform-database/database.ts'
import type { QueueMail } from '../outgoing-mail/outgoing-mail.ts'
import { foundNow, type Found } from './conditions.ts'
import { mailOf, payloadOf, type News } from './messages.ts'
import type { AlertRow, AlertStore, Due } from './store.ts'
import type { SendMessage } from './webhook.ts'

type Deps = {
  store: AlertStore
  secrets: Secrets
  /** How the installation is now. */
  look: () => Promise<HealthFindings>
  queueMail: QueueMail
  startJob: (job: Job) => Promise<void>
  send: SendMessage
  /** Of the dashboard, for links. */
  url: string
  now: () => Date
  log: Log
}

export const secretIdentity = 'alerts:webhook'

const dayMs = 24 * 3_600_000
const keptMs = 90 * dayMs
const firstWaitMs = 30_000
const longestWaitMs = 3_600_000
const givenUpAfterMs = 3 * dayMs
const keyOf = ({ condition, subject }: { condition: Condition; subject: string }) =>
  `${condition} ${subject}`

/**
 * Compares what is so with the alerts that are open. An alert and the news of it are one transaction: whoever dies in between
 * leaves both or neither, and a message that may have arrived is sent again under the same id.
 */
export function createAlerts(deps: Deps) {
  const { store, secrets, look, queueMail, startJob, send, url, now, log } = deps

  async function compare(
    tx: Tx,
    findings: HealthFindings,
    muted: readonly Condition[],
  ): Promise<News[]> {
    const at = now()
    const open = new Map((await store.open(tx)).map((alert) => [keyOf(alert), alert]))
    const isOpen = (condition: Condition, subject: string) =>
      open.has(keyOf({ condition, subject }))
    const found = new Map(
      foundNow({ findings, isOpen }, muted).map((one) => [keyOf(one), one] as const),
    )
    return [
      ...(await openNew(tx, open, found, at)),
      ...(await closeOld(tx, open, found, muted, at)),
    ]
  }

  async function openNew(
    tx: Tx,
    open: ReadonlyMap<string, AlertRow>,
    found: ReadonlyMap<string, Found>,
    at: Date,
  ): Promise<News[]> {
    const news: News[] = []
    for (const [key, one] of found) {
      const known = open.get(key)
      if (!known) news.push({ event: 'opened', alert: await store.insert(tx, one, at) })
      else if (known.message !== one.message) await store.setMessage(tx, known.id, one.message)
    }
    return news
  }

  async function closeOld(
    tx: Tx,
    open: ReadonlyMap<string, AlertRow>,
    found: ReadonlyMap<string, Found>,
    muted: readonly Condition[],
    at: Date,
  ): Promise<News[]> {
    const news: News[] = []
    for (const [key, alert] of open) {
      if (found.has(key)) continue
      await store.close(tx, alert.id, at)
      // One that nobody wants to hear of any more has not been mended.
      if (!muted.includes(alert.condition))
        news.push({ event: 'closed', alert: { ...alert, closed_at: at } })
    }
    return news
  }

  async function evaluate(): Promise<void> {
    const jobs = await store.evaluation(async (tx) => {
      if (!(await store.mayEvaluate(tx))) return []
      // Only now: who waited for another control plane must not judge by what was so before.
      const findings = await look()
      const settings = await store.settings(tx)
      // Written by this feature, which checks them.
      const news = await compare(tx, findings, settings.muted as Condition[])
      if (news.length === 0) return []
      if (settings.webhook_url !== null)
        for (const { event, alert } of news) await store.queue(tx, alert.id, event, now())
      const queued: Job[] = []
      for (const to of settings.emails) queued.push(await queueMail(tx, mailOf(to, news, url)))
      for (const { event, alert } of news)
        log.warn({ condition: alert.condition, subject: alert.subject }, `alert ${event}`)
      return queued
    })
    failpoint('alerts:written')
    for (const job of jobs) await startJob(job)
    await store.prune(new Date(now().getTime() - keptMs))
  }

  async function tell({ id, event, attempts, queued_at, alert }: Due): Promise<void> {
    const { webhook_url: to, sealed_webhook_secret: sealed } = await store.settings()
    if (to === null || sealed === null) {
      await store.settle(id, { given_up_at: now(), failure: 'No webhook is set any more' })
      return
    }
    const body = payloadOf({ event, alert }, url, queued_at)
    const secret = secrets.open(sealed, secretIdentity)
    const failure = await send({ url: to, secret }, { id, body }, now())
    failpoint('alerts:sent')
    const at = now()
    if (failure === undefined) return store.settle(id, { told_at: at, failure: null })
    log.warn({ alert: alert.id, event, attempts, failure }, 'the webhook did not take an alert')
    if (at.getTime() - queued_at.getTime() > givenUpAfterMs)
      return store.settle(id, { given_up_at: at, failure })
    const wait = Math.min(firstWaitMs * 2 ** (attempts - 1), longestWaitMs)
    await store.settle(id, { failure, next_at: new Date(at.getTime() + wait) })
  }

  return {
    evaluate,

    /** Sends what is due to the webhook, one after the other. */
    async deliver(): Promise<void> {
      for (let due = await store.take(now()); due; due = await store.take(now())) await tell(due)
    },
  }
}
export type Alerts = ReturnType<typeof createAlerts>
