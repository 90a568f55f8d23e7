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
  networks: { settleAll: () => Promise<unknown> }
  disk: { round: () => Promise<unknown> }
}

/** How long it is known that a mail was sent: a week, in milliseconds. */
const mailMemory = 7 * 24 * 3600 * 1000

/** How many mails the local mailbox keeps. */
const mailboxSize = 1000

/** Seconds between two rounds, and between two looks at the health of projects. */
const pace = { round: 60, health: 5 }

/** What is looked after all the time. Each round is its own: one that fails, or takes long, holds up no other. */
export function startRounds(parts: Parts): void {
  const { jobs } = parts
  const round = (name: string, run: () => Promise<unknown>) =>
    jobs.every(pace.round, name, async () => {
      await run()
    })
  let watched = false
  round('jobs to take up', () => jobs.recover())
  round('reconcile', async () => {
    try {
      await parts.reconcile()
    } finally {
      // Only now: what a clean stop had ended is started again above, and was never ill.
      if (!watched) jobs.every(pace.health, 'health', parts.checkHealth)
      watched = true
    }
  })
  round('mails of the mailbox', () => parts.mails.prune(mailboxSize))
  round('mails that were sent', () => parts.sentMails.prune(new Date(Date.now() - mailMemory)))
  round('what is over of OAuth', () => parts.oauth.prune())
  round('billing', () => parts.billing.round())
  round('networks of projects', () => parts.networks.settleAll())
  round('disk of projects', () => parts.disk.round())
}
