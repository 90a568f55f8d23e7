import type { Provider } from '#compute/provider'
import type { MaintenanceWindow, Upgrade, Versions } from '#contract/projects/upgrades'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import { versionOfPrograms } from '#kit/postgres/builds/kept-programs'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { Platform } from '../../platform.ts'
import type { ExtensionsStore } from './extensions-store.ts'
import type { Subject, UpgradeRow, UpgradesStore } from './store.ts'

type By = { caller: Caller; origin: Origin }
type Deps = {
  store: UpgradesStore
  extensions: ExtensionsStore
  projects: Pick<Platform['projects'], 'transition'>
  compute: Pick<Provider, 'versions' | 'changeVersion'>
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  each: EachSubject
  now: () => Date
}

/** The rules by which a project gets another version of PostgreSQL. Carrying it out is a durable job (upgrading.ts). */
export function createUpgrades(deps: Deps) {
  const { store, extensions, compute, now } = deps

  async function find(ref: string): Promise<Subject> {
    const subject = await store.subject(ref)
    if (!subject) throw new ApiError('project_not_found')
    return subject
  }
  async function versionsOf(ref: string) {
    const known = await compute.versions?.(ref)
    if (!known || !compute.changeVersion) throw new ApiError('not_on_this_installation')
    return known
  }
  type Known = Awaited<ReturnType<typeof versionsOf>>

  const differs = ({ current, latest }: Known) => current.version !== latest.version

  /** In words; empty where nothing is in the way. Asks the database only where there is something to change. */
  async function blockersOf({ ref, status }: Subject, known: Known): Promise<string[]> {
    if (status !== 'ACTIVE_HEALTHY') return ['The project has to be running and healthy.']
    const here = new Set(known.latest.extensions)
    const has = await extensions.installed(ref).catch((error: unknown) => {
      // What it has cannot be known while it starts, say.
      if (error instanceof ApiError) return undefined
      throw error
    })
    if (!has) return ['The database does not answer at the moment.']
    return has
      .filter((name) => !here.has(name))
      .map(
        (name) =>
          `The database has the extension ${name}, which PostgreSQL ${known.latest.version} on this installation does not have.`,
      )
  }

  async function accept(tx: Tx, subject: Subject, known: Known, by: By | undefined): Promise<Job> {
    const { current, latest } = known
    const job = await deps.acceptJob(tx, 'project.upgrade', subject.ref)
    const order = { nextJob: job.id }
    if (!(await deps.projects.transition(tx, subject.ref, ['ACTIVE_HEALTHY'], 'UPGRADING', order)))
      throw new ApiError('project_busy')
    await store.insert(tx, {
      job_id: job.id,
      project_id: subject.id,
      from_programs: current.id,
      to_programs: latest.id,
      ordered_at: now(),
    })
    await deps.record(tx, {
      organizationId: subject.organization_id,
      actor: by?.caller ?? null,
      action: 'projects.upgrade',
      target: `project:${subject.ref}`,
      change: {
        name: subject.name,
        before: { status: subject.status, version: current.version },
        after: { status: 'UPGRADING', version: latest.version },
      },
      origin: by?.origin ?? null,
    })
    return job
  }

  async function upgrade(ref: string, by: By | undefined): Promise<string> {
    const known = await versionsOf(ref)
    const blockers = differs(known) ? await blockersOf(await find(ref), known) : undefined
    if (!blockers)
      throw new ApiError(
        'nothing_to_upgrade',
        `The project runs on ${known.latest.version} already`,
      )
    if (blockers.length > 0) throw new ApiError('upgrade_blocked', blockers.join(' '))
    const job = await store.transaction(async (tx) => {
      await store.lock(tx, ref)
      const subject = await store.subject(ref, tx)
      if (!subject) throw new ApiError('project_not_found')
      return accept(tx, subject, known, by)
    })
    await deps.startJob(job)
    return job.id
  }

  return {
    async get(ref: string): Promise<Versions> {
      const subject = await find(ref)
      // The order before the versions: one that has ended is never told beside what it ended.
      const [last, window] = await Promise.all([store.last(subject.id), store.window(subject.id)])
      const known = await versionsOf(ref)
      return {
        current: known.current.version,
        installed: known.latest.version,
        blockers: differs(known) ? await blockersOf(subject, known) : null,
        window: window ?? null,
        last: last ? shape(last) : null,
      }
    },

    /** The id of the job. */
    order: (by: By, ref: string) => upgrade(ref, by),

    async setWindow(by: By, ref: string, window: MaintenanceWindow | null): Promise<void> {
      await versionsOf(ref)
      await store.transaction(async (tx) => {
        const subject = await store.subject(ref, tx)
        if (!subject) throw new ApiError('project_not_found')
        await store.setWindow(tx, subject.id, window)
        await deps.record(tx, {
          organizationId: subject.organization_id,
          actor: by.caller,
          action: 'projects.maintenanceWindow',
          target: `project:${ref}`,
          change: { name: subject.name, after: { window } },
          origin: by.origin,
        })
      })
    },

    /** Upgrades what has a newer version and is in the hour that it has chosen. One that failed is not tried again by itself. */
    async windowRound(): Promise<void> {
      if (!compute.versions || !compute.changeVersion) return
      const at = now()
      const due = await store.inWindow({ weekday: at.getUTCDay(), hour: at.getUTCHours() })
      await deps.each(
        'upgrades',
        due,
        ({ ref }) => ref,
        async (subject) => {
          const known = await versionsOf(subject.ref)
          if (!differs(known) || (await blockersOf(subject, known)).length > 0) return
          const last = await store.last(subject.id)
          if (last?.outcome === 'kept' && last.to_programs === known.latest.id) return
          await upgrade(subject.ref, undefined)
        },
      )
    },

    /** Orders that were broken off end with what the server runs on. */
    async settleLeftBehind(): Promise<void> {
      await deps.each(
        'upgrades to settle',
        await store.leftBehind(),
        ({ ref }) => ref,
        async ({ ref, job_id, project_id, to_programs }) => {
          const { current } = await versionsOf(ref)
          const isDone = current.id === to_programs
          await store.transaction(async (tx) => {
            await store.setVersion(tx, project_id, current.version)
            await store.end(tx, job_id, {
              at: now(),
              outcome: isDone ? 'upgraded' : 'kept',
              failure: isDone ? null : 'It was broken off',
              down_ms: null,
            })
          })
        },
      )
    },
  }
}
export type Upgrades = ReturnType<typeof createUpgrades>

const shape = (row: UpgradeRow): Upgrade => ({
  from: versionOfPrograms(row.from_programs),
  to: versionOfPrograms(row.to_programs),
  ordered_at: row.ordered_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  outcome: row.outcome,
  failure: row.failure,
  down_ms: row.down_ms,
})
