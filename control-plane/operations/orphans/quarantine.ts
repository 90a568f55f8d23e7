import type { Job } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { QueueMail } from '../outgoing-mail/outgoing-mail.ts'
import type { Orphan, OrphanStore } from './store.ts'

type Deps = {
  store: OrphanStore
  queueMail: QueueMail
  startJob: (job: Job) => Promise<void>
  /** Whoever runs the platform. */
  operatorEmail: string
  log: Log
}

const longestList = 50
const nameOf = ({ kind, ref, name }: Orphan) =>
  kind === 'project' ? `project ${ref}` : `backup ${name} of project ${ref}`

/**
 * Writes down what no row of the platform database knows. Cleaners leave it as it is: it may be the work of today beside
 * a platform database of yesterday. What is new is told once, in the log and by mail.
 */
export const createQuarantine =
  ({ store, queueMail, startJob, operatorEmail, log }: Deps) =>
  async (kind: Orphan['kind'], found: readonly Omit<Orphan, 'kind'>[]): Promise<void> => {
    const job = await store.transaction(async (tx) => {
      const fresh = await store.replace(
        tx,
        kind,
        found.map((one) => ({ kind, ...one })),
      )
      for (const { ref, name, state } of fresh)
        log.warn({ kind, ref, name, state }, 'no row knows this: it is kept, see plinth orphans')
      return fresh.length === 0 ? undefined : queueMail(tx, mailOf(operatorEmail, fresh))
    })
    if (job) await startJob(job)
  }
export type Quarantine = ReturnType<typeof createQuarantine>

function mailOf(to: string, fresh: readonly Orphan[]) {
  const more = fresh.length - longestList
  const text = [
    'The platform found what its database does not know. It is stopped and kept.',
    '',
    ...fresh.slice(0, longestList).map(nameOf),
    ...(more > 0 ? [`and ${more} more`] : []),
    '',
    'If an older platform database was restored, adopt it: npx plinth orphans adopt REF --org SLUG',
    'If it is left over, remove it: npx plinth orphans remove REF',
  ].join('\n')
  // Refs and ids alone: nothing in it has to be escaped.
  return { to, subject: 'Plinth keeps what it does not know', text, html: `<pre>${text}</pre>` }
}
