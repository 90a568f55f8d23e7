import type { Jobs } from '#kit/jobs'

type Parts = {
  jobs: Pick<Jobs, 'recover' | 'every'>
  /** Brings each project to the state it should be in. */
  reconcile: () => Promise<unknown>
  checkHealth: () => Promise<void>
  mails: { prune: (kept: number) => Promise<unknown> }
  sentMails: { prune: (before: Date) => Promise<unknown> }
  oauth: { prune: () => Promise<unknown> }
  billing: { round: () => Promise<unknown> }
}

/** How long it is known that a mail was sent: a week, in milliseconds. */
const mailMemory = 7 * 24 * 3600 * 1000

/** How many mails the local mailbox keeps. */
const mailboxSize = 1000

/** What is looked after every minute, and the health of projects, which is looked after every 5 seconds. */
export function startRounds(parts: Parts): void {
  const { jobs } = parts
  let watched = false
  jobs.every(60, 'reconcile', async () => {
    await jobs.recover()
    await parts.reconcile()
    await parts.mails.prune(mailboxSize)
    await parts.oauth.prune()
    await parts.sentMails.prune(new Date(Date.now() - mailMemory))
    await parts.billing.round()
    // Only now: what a clean stop had ended is started again above, and was never ill.
    if (!watched) jobs.every(5, 'health', parts.checkHealth)
    watched = true
  })
}
