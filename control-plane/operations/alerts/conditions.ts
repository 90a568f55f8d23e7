import type { Condition } from '#contract/operations/alerts'
import type { HealthFindings } from '#contract/operations/health'

/** Something that is so now and that an operator has to know. */
export type Found = {
  condition: Condition
  /** What it is about; the same thing has the same subject as long as it lasts. */
  subject: string
  message: string
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const gb = 1024 ** 3

/** From when on it is told of. */
export const patience = { unhealthyMs: 5 * minuteMs, failingMs: 10 * minuteMs }
export const certificateMs = 14 * dayMs
/** Less than either is short; what is told of has to be a tenth more before it counts as mended. */
export const shortDisk = { share: 0.1, bytes: 5 * gb, mended: 1.1 }

const gigabytes = (bytes: number) => `${(bytes / gb).toFixed(1)} GB`
const utc = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`

type Look = {
  findings: HealthFindings
  /** Whether there is an open alert already. */
  isOpen: (condition: Condition, subject: string) => boolean
}

/** Everything that is so, by condition. A condition that cannot be looked at here finds nothing. */
const lookers: Record<Condition, (look: Look) => Omit<Found, 'condition'>[]> = {
  backup_failed: ({ findings: { backups } }) =>
    (backups?.failed ?? []).map(({ ref, name, failed_at, failure }) => ({
      subject: ref,
      message: `The backup of project ${name} (${ref}) failed at ${utc(failed_at)}: ${failure || 'no reason was given'}`,
    })),

  backup_late: ({ findings: { backups } }) =>
    (backups?.late ?? []).map(({ ref, name, due_at }) => ({
      subject: ref,
      message: `The scheduled backup of project ${name} (${ref}) was due at ${utc(due_at)} and has not been made`,
    })),

  disk_short: ({ findings: { disks }, isOpen }) =>
    disks.flatMap(({ place, folder, free_bytes: free, size_bytes: size }) => {
      const subject = `${place} ${folder}`
      const factor = isOpen('disk_short', subject) ? shortDisk.mended : 1
      const isShort = free < size * shortDisk.share * factor || free < shortDisk.bytes * factor
      const share = size > 0 ? Math.floor((free / size) * 100) : 0
      return isShort
        ? [
            {
              subject,
              message: `The disk of ${folder} on ${place} has ${gigabytes(free)} free of ${gigabytes(size)} (${share}%)`,
            },
          ]
        : []
    }),

  project_unhealthy: ({ findings: { projects, taken_at } }) =>
    projects.unhealthy
      .filter(({ since }) => age(since, taken_at) >= patience.unhealthyMs)
      .map(({ ref, name, status, since }) => ({
        subject: ref,
        message: `Project ${name} (${ref}) is ${status} since ${utc(since)}`,
      })),

  certificate_ending: ({ findings: { certificates, taken_at } }) =>
    // Each control plane looks at the same addresses.
    uniqueBy(certificates, ({ host }) => host).flatMap(({ host, ends_at, order_failure: why }) => {
      const because = why === null ? '' : `. The next one could not be got: ${why}`
      if (ends_at === null)
        return why === null
          ? []
          : [
              {
                subject: host,
                message: `${host} has no certificate, for none could be got: ${why}`,
              },
            ]
      return -age(ends_at, taken_at) < certificateMs
        ? [
            {
              subject: host,
              message: `The certificate of ${host} ${age(ends_at, taken_at) < 0 ? 'ends' : 'ended'} at ${utc(ends_at)}${because}`,
            },
          ]
        : []
    }),

  round_failing: ({ findings: { rounds, failing, taken_at } }) => [
    ...rounds
      .filter(({ failing_since: since }) => since !== null && hasFailed(since, taken_at))
      .map(({ name, place, failures, failure }) => ({
        subject: `${place} ${name}`,
        message: `"${name}" on ${place} failed ${failures} times in a row: ${failure ?? ''}`,
      })),
    ...bySubjects(failing.filter(({ since }) => hasFailed(since, taken_at))),
  ],

  job_stuck: ({ findings: { jobs } }) =>
    jobs.stuck.map(({ id, name, subject, accepted_at }) => ({
      subject: id,
      message: `Job ${name} of ${subject} has not finished since ${utc(accepted_at)}`,
    })),

  data_plane_lost: ({ findings: { planes } }) =>
    planes
      .filter(({ state }) => state === 'lost')
      .map(({ kind, place, heard_at }) => ({
        subject: `${kind} ${place}`,
        message: `The ${kind.replace('-', ' ')} at ${place} has not reported since ${utc(heard_at)}`,
      })),
}

/** Milliseconds that `then` lies before `now`; less than 0: it is to come. */
const age = (then: string, now: string) => Date.parse(now) - Date.parse(then)
const hasFailed = (since: string, now: string) => age(since, now) >= patience.failingMs

function uniqueBy<T>(list: readonly T[], keyOf: (one: T) => string): T[] {
  return [...new Map(list.map((one) => [keyOf(one), one])).values()]
}

/** One alert for all subjects of a round: a hundred of them have one cause. */
function bySubjects(failing: HealthFindings['failing']): Omit<Found, 'condition'>[] {
  const rounds = new Map<string, HealthFindings['failing']>()
  for (const one of failing) {
    const key = `${one.place} ${one.round}`
    rounds.set(key, [...(rounds.get(key) ?? []), one])
  }
  return [...rounds].map(([subject, all]) => {
    const more = all.length > 1 ? ` and ${all.length - 1} more` : ''
    return {
      subject: `${subject} (subjects)`,
      message: `"${all[0]?.round}" on ${all[0]?.place} fails for ${all[0]?.subject}${more}: ${all[0]?.failure}`,
    }
  })
}

/** What is so now, without what nobody wants to hear of. */
export function foundNow(look: Look, muted: readonly Condition[]): Found[] {
  // The keys of the record are exactly the conditions.
  const all = Object.entries(lookers) as [Condition, (typeof lookers)[Condition]][]
  return all
    .filter(([condition]) => !muted.includes(condition))
    .flatMap(([condition, looker]) =>
      uniqueBy(looker(look), ({ subject }) => subject).map((one) => ({
        condition,
        subject: one.subject.slice(0, 500),
        message: one.message.slice(0, 2000),
      })),
    )
}

/** Which conditions cannot be looked at here, and why. */
export function absentConditions({
  absent,
}: HealthFindings): { condition: Condition; why: string }[] {
  const parts: Record<string, Condition[]> = {
    Disk: ['disk_short'],
    Certificates: ['certificate_ending'],
    Backups: ['backup_failed', 'backup_late'],
  }
  return absent.flatMap(({ part, why }) =>
    (parts[part] ?? []).map((condition) => ({ condition, why })),
  )
}
