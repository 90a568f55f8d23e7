import type { HealthFindings } from '#contract/operations/health'
import type { Plane } from './planes.ts'
import type { JobsStore } from './jobs-store.ts'
import type { BackupPromise, HealthStore } from './store.ts'

type Deps = {
  store: HealthStore
  jobs: JobsStore
  planes: () => Promise<Plane[]>
  /** Undefined where somebody else keeps the backups. */
  backups: BackupPromise | undefined
  version: string
  now: () => Date
}

/** What the programs, the platform's database and its jobs say, put together at one moment. */
export const createHealth =
  ({ store, jobs, planes, backups, version, now }: Deps) =>
  async (): Promise<HealthFindings> => {
    const at = now()
    const known = await planes()
    const talking = known.filter(({ kind, state }) => kind === 'control-plane' && state !== 'ended')
    /** What each control plane says of one part, with its name. */
    const each = <T extends object>(of: (plane: Plane) => readonly T[]) =>
      talking.flatMap((plane) => of(plane).map((one) => ({ ...one, place: plane.place })))

    const [database, jobsNow, mails, projects, kept] = await Promise.all([
      store.database(),
      jobs.jobs(at),
      jobs.mails(at),
      store.projects(at),
      backups ? store.backups(backups, at) : null,
    ])
    return {
      taken_at: at.toISOString(),
      version,
      planes: known.map((plane) => ({
        kind: plane.kind,
        place: plane.place,
        version: plane.version,
        state: plane.state,
        started_at: plane.startedAt.toISOString(),
        heard_at: plane.heardAt.toISOString(),
        memory_bytes: plane.memoryBytes,
      })),
      database,
      jobs: jobsNow,
      rounds: each(({ facts }) => facts.rounds),
      failing: each(({ facts }) => facts.failing),
      mails,
      disks: each(({ facts }) => (facts.disk ? [facts.disk] : [])),
      certificates: each(({ facts }) => facts.certificates),
      projects,
      backups: kept,
      absent: [
        ...once('Disk', talking, ({ facts }) => facts.absent.disk),
        ...once('Certificates', talking, ({ facts }) => facts.absent.certificates),
        ...(kept
          ? []
          : [{ part: 'Backups', why: 'The database belongs to somebody else, who backs it up.' }]),
        {
          part: 'Response times of projects',
          why: 'They are in the logs of each project, which no one here reads for all of them: open the reports of a project.',
        },
      ],
    }
  }

/** Where any control plane knows it, nothing is absent. */
function once(
  part: string,
  planes: readonly Plane[],
  of: (plane: Plane) => string | null,
): { part: string; why: string }[] {
  const reasons = planes.map(of)
  const [first] = reasons
  return first && !reasons.includes(null) ? [{ part, why: first }] : []
}
