import { planLimits } from '#contract/limits'
import { dayText } from '#contract/billing/quotas'
import { planNames, planOfTier } from '#contract/billing/plans'
import type { Job } from '#kit/jobs'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { InactivityStore, Watched } from './store.ts'

type MailText = { subject: string; lines: string[]; link: { label: string; url: string } }
type Deps = {
  store: InactivityStore
  record: RecordChange
  /** Mails those who look after an organization; returns the jobs that send it once `tx` is committed. */
  mail: (tx: Tx, organization: { id: string }, text: MailText) => Promise<Job[]>
  startJob: (job: Job) => Promise<void>
  /** Pauses a project by the platform's own word, if no job is at work on it. */
  pause: (ref: string, reason: string, cause: 'inactivity') => Promise<void>
  each: EachSubject
  /** The dashboard's own address, without a slash at its end. */
  url: string
  now: () => Date
}

const dayMs = 86_400_000
/** Days before the pause on which people are told of it. */
const noticeDays = 1

/** What is due for a project: to be told of, or to be paused. It is never paused without a day's notice. */
export function dueOf(
  { tier, used_at: used, warned_at: warned }: Pick<Watched, 'tier' | 'used_at' | 'warned_at'>,
  now: Date,
): 'notice' | 'pause' | undefined {
  const { pausesAfterDays: days } = planLimits[planOfTier[tier]]
  if (days === null) return undefined
  const idleMs = now.getTime() - used.getTime()
  if (idleMs < (days - noticeDays) * dayMs) return undefined
  const isWarned = warned !== null && warned > used
  if (!isWarned) return 'notice'
  const isNoticed = now.getTime() - warned.getTime() >= noticeDays * dayMs
  return isNoticed && idleMs >= days * dayMs ? 'pause' : undefined
}

/** Pauses projects that nobody uses, where the plan says so (requirements §4). */
export function createInactivity(deps: Deps) {
  const { store, now } = deps

  async function warn(ref: string): Promise<void> {
    const jobs = await store.transaction(async (tx) => {
      const project = await store.lock(tx, ref)
      if (!project || dueOf(project, now()) !== 'notice') return []
      const days = planLimits[planOfTier[project.tier]].pausesAfterDays ?? 0
      // Of whoever is told late, later.
      const at = new Date(
        Math.max(project.used_at.getTime() + days * dayMs, now().getTime() + noticeDays * dayMs),
      )
      await store.warned(tx, ref, now())
      await deps.record(tx, {
        organizationId: project.organization_id,
        actor: null,
        action: 'projects.inactive',
        target: `project:${ref}`,
        change: { name: project.name, after: { pauses_at: at.toISOString() } },
        origin: null,
      })
      return deps.mail(
        tx,
        { id: project.organization_id },
        {
          subject: `${project.name} will be paused on ${dayText(at)}`,
          lines: [
            `Nobody has used the project ${project.name} of ${project.organization_name} for ${days - noticeDays} days. It will be paused on ${dayText(at)} (UTC).`,
            'Any request to it, a database connection, or opening it in the dashboard prevents that. A paused project keeps its data and is resumed with one click.',
            `Projects of the ${planNames[planOfTier[project.tier]]} plan are paused after ${days} days without use; larger plans do not pause.`,
          ],
          link: { label: 'Open the project', url: `${deps.url}/project/${ref}` },
        },
      )
    })
    for (const job of jobs) await deps.startJob(job)
  }

  async function look(project: Watched): Promise<void> {
    const due = dueOf(project, now())
    if (due === 'notice') return warn(project.ref)
    if (due !== 'pause') return
    const days = planLimits[planOfTier[project.tier]].pausesAfterDays ?? 0
    await deps.pause(project.ref, `Nobody has used it for ${days} days`, 'inactivity')
  }

  return {
    round: async (): Promise<void> =>
      deps.each('projects that nobody uses', await store.watched(), ({ ref }) => ref, look),
  }
}
export type Inactivity = ReturnType<typeof createInactivity>
