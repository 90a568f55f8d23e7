import { hasRegion, providerFacts, type CloudProvider } from '#contract/projects/cloud-providers'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { Output, Parsed } from '#contract/endpoint'
import { movesInto, type ProjectStatus } from '#contract/projects/project-status'
import type { Project, ProjectListItem, projects as api } from '#contract/projects/projects'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import { newProjectRef } from '#kit/ids'
import type { Job } from '#kit/jobs'
import type { Secrets } from '#kit/secrets'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { DataApiStatus } from './data-api-status.ts'
import { newProjectSecrets, projectIdentity } from './keys.ts'
import { createNewProject } from './new-project.ts'
import { shapeListItem, shapeProject, type Shaping } from './shape.ts'
import type { ProjectRow, ProjectStore } from './store.ts'

export type ProjectsDeps = {
  store: ProjectStore
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  secrets: Secrets
  shaping: Shaping
  dataApiAnswers: DataApiStatus
  /** Version of the databases that are made now, such as 17.10. */
  dbVersion: string
  /** Where projects are that name no provider. */
  defaultProvider: CloudProvider
  /** Whether an organization may have a project running, and in which size. */
  admission: {
    create(
      tx: Tx,
      input: { organizationId: string; callerId: string; size: ComputeSizeId | undefined },
    ): Promise<ComputeSizeId>
    run(tx: Tx, input: { organizationId: string; callerId: string; ref: string }): Promise<void>
  }
  /** The keys that a project begins with. */
  firstKeys: {
    addApiKeys(tx: Tx, projectId: string): Promise<void>
    /** Undefined: its tokens are signed by its shared secret. */
    signing(
      input: Pick<Parsed<typeof api.create>, 'signing_algorithm' | 'private_jwk'>,
    ): Promise<((tx: Tx, project: { id: string; ref: string }) => Promise<void>) | undefined>
  }
  /** @throws ApiError when a project cannot have this port of the machine */
  checkPort: (port: number) => Promise<void>
  /** The job that makes it: of nothing, or with the data of another project. */
  creationOf: (ref: string) => Promise<'project.create' | 'project.clone' | 'project.copy'>
  /** Days that a deleted project waits in the trash; 0: it is removed at once. */
  trashDays: number
  now: () => Date
  /** Whether the caller shows the second factor that some organizations ask for. */
  hasFactor: (caller: Caller) => Promise<boolean>
}

type Order = { action: string; job: string; to: ProjectStatus; from: readonly ProjectStatus[] }

const dayMs = 86_400_000
const unmade: readonly ProjectStatus[] = ['INIT_FAILED']

/** What people can order a project to do; the job does it. */
const orders = {
  pause: {
    action: 'projects.pause',
    job: 'project.pause',
    to: 'PAUSING',
    from: movesInto('PAUSING'),
  },
  restart: {
    action: 'projects.restart',
    job: 'project.restart',
    to: 'RESTARTING',
    from: movesInto('RESTARTING'),
  },
  resume: {
    action: 'projects.restore',
    job: 'project.resume',
    to: 'RESTORING',
    from: ['INACTIVE', 'RESTORE_FAILED'],
  },
  retry: {
    action: 'projects.restore',
    job: 'project.create',
    to: 'COMING_UP',
    from: ['INIT_FAILED'],
  },
  remove: {
    action: 'projects.remove',
    job: 'project.remove',
    to: 'GOING_DOWN',
    from: movesInto('GOING_DOWN').filter((status) => !unmade.includes(status)),
  },
  /** There is nothing that could be brought back. */
  removeUnmade: {
    action: 'projects.remove',
    job: 'project.remove',
    to: 'GOING_DOWN',
    from: unmade,
  },
} satisfies Record<string, Order>

/** Into these a project comes from rest, so its organization is asked whether it may have it running. */
const startsAgain = new Set<ProjectStatus>(['RESTORING', 'COMING_UP'])

/** With a server that runs; all others need not be asked. */
const isServed = ({ status }: ProjectRow) =>
  status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY'

/** Ends of a restore can be waited for or brought about; one from a backup is not cut in the middle. */
const cancellable = ['project.resume', 'project.bring-back', 'project.cancel-resume']
const notCancelled = (row: ProjectRow | undefined) =>
  row?.status === 'RESTORING'
    ? new ApiError('project_busy', 'A restore from a backup cannot be interrupted')
    : new ApiError('not_restoring')

/** The rules of a project's life. What takes time is a durable job; accepting it is one transaction. */
export function createProjects(deps: ProjectsDeps) {
  const { store, record, shaping } = deps
  const newProject = createNewProject({
    ...deps,
    admit: deps.admission.create,
    addApiKeys: deps.firstKeys.addApiKeys,
  })

  async function rowOf(ref: string) {
    const row = await store.find(ref)
    if (!row) throw new ApiError('project_not_found')
    return row
  }
  /** As lists have it: nobody is asked for it. */
  const brief = async (ref: string): Promise<ProjectListItem> =>
    shapeListItem(await rowOf(ref), shaping)

  async function get(ref: string): Promise<Project> {
    const row = await rowOf(ref)
    return shapeProject(row, shaping, isServed(row) && (await deps.dataApiAnswers(ref)))
  }

  async function give(order: Order, caller: Caller, ref: string, origin: Origin): Promise<Project> {
    const row = await rowOf(ref)
    const job = await store.transaction(async (tx) => {
      if (order.to === 'GOING_DOWN' && (await store.hasBranches(tx, ref)))
        throw new ApiError('has_branches')
      if (startsAgain.has(order.to)) {
        const { organization_id: organizationId } = row
        await deps.admission.run(tx, { organizationId, callerId: caller.userId, ref })
      }
      const accepted = await deps.acceptJob(tx, order.job, ref)
      const moved = await store.transition(tx, ref, order.from, order.to, { nextJob: accepted.id })
      if (!moved) throw new ApiError('project_busy')
      if (order === orders.remove && deps.trashDays > 0) {
        const at = deps.now()
        const until = new Date(at.getTime() + deps.trashDays * dayMs)
        await store.keepInTrash(tx, ref, { at, by: caller.userId, until })
      }
      await record(tx, {
        organizationId: row.organization_id,
        actor: caller,
        action: order.action,
        target: projectIdentity(ref),
        change: { before: { status: row.status }, after: { status: order.to } },
        origin,
      })
      return accepted
    })
    // As it was ordered: what a job removes may be gone before whoever asked for it has an answer.
    const ordered = await get(ref)
    await deps.startJob(job)
    return ordered
  }

  const viewer = async (caller: Caller) => ({
    userId: caller.userId,
    factorShown: await deps.hasFactor(caller),
  })

  return {
    get,
    newProject,

    brief,
    status: async (ref: string) => ({ status: (await brief(ref)).status }),

    list: async (
      caller: Caller,
      input: Parsed<typeof api.list>,
    ): Promise<Output<typeof api.list>> =>
      listing(
        await store.ofUser(await viewer(caller), input, caller.limits?.organizationSlug),
        shaping,
      ),

    listOf: async (
      caller: Caller,
      slug: string,
      input: Parsed<typeof api.list>,
    ): Promise<Output<typeof api.list>> =>
      listing(await store.ofUser(await viewer(caller), input, slug), shaping),

    async create(
      caller: Caller,
      input: Parsed<typeof api.create>,
      origin: Origin,
    ): Promise<Output<typeof api.create>> {
      const provider = input.cloud_provider ?? deps.defaultProvider
      if (!hasRegion(provider, input.db_region)) {
        const { name } = providerFacts[provider]
        throw new ApiError('invalid_input', `db_region: ${name} has no region ${input.db_region}`)
      }
      const ref = newProjectRef()
      const made = await newProjectSecrets(ref, input.db_pass, new Date())
      if (input.listen_port !== undefined) await deps.checkPort(input.listen_port)
      const addSigningKey = await deps.firstKeys.signing(input)
      const job = await store.transaction(async (tx) => {
        const organizationId = await store.organizationId(tx, input.organization_slug)
        if (!organizationId) throw new ApiError('organization_not_found')
        const { id, job: accepted } = await newProject(tx, 'project.create', {
          ref,
          name: input.name,
          organizationId,
          callerId: caller.userId,
          size: input.desired_instance_size,
          region: input.db_region,
          cloud_provider: provider,
          listen_port: input.listen_port ?? null,
          new_tables: input.new_tables,
          made,
        }).catch(async (error: unknown) => {
          // Another project took the port meanwhile, or has the name.
          if (error instanceof ApiError && error.code === 'name_taken' && input.listen_port)
            await deps.checkPort(input.listen_port)
          throw error
        })
        await addSigningKey?.(tx, { id, ref })
        await record(tx, {
          organizationId,
          actor: caller,
          action: 'projects.create',
          target: projectIdentity(ref),
          change: { after: { name: input.name, region: input.db_region } },
          origin,
        })
        return accepted
      })
      await deps.startJob(job)
      return { ...(await get(ref)), anon_key: made.anonKey, service_key: made.serviceKey }
    },

    async rename(caller: Caller, ref: string, name: string, origin: Origin): Promise<Project> {
      const row = await rowOf(ref)
      await store.transaction(async (tx) => {
        if (!(await store.rename(tx, ref, name))) throw new ApiError('name_taken')
        await record(tx, {
          organizationId: row.organization_id,
          actor: caller,
          action: 'projects.update',
          target: projectIdentity(ref),
          change: { before: { name: row.name }, after: { name } },
          origin,
        })
      })
      return get(ref)
    },

    pause: (caller: Caller, ref: string, origin: Origin) => give(orders.pause, caller, ref, origin),
    restart: (caller: Caller, ref: string, origin: Origin) =>
      give(orders.restart, caller, ref, origin),
    /** It waits in the trash afterwards, where there is one. */
    async remove(caller: Caller, ref: string, origin: Origin): Promise<Project> {
      const { status } = await rowOf(ref)
      const order = status === 'INIT_FAILED' ? orders.removeUnmade : orders.remove
      return give(order, caller, ref, origin)
    },

    /** Resumes a paused project, or makes one anew whose making had failed. */
    async restore(caller: Caller, ref: string, origin: Origin): Promise<Project> {
      const { status } = await rowOf(ref)
      if (status !== 'INIT_FAILED') return give(orders.resume, caller, ref, origin)
      return give({ ...orders.retry, job: await deps.creationOf(ref) }, caller, ref, origin)
    },

    /** Ends a restore that is under way; its server is stopped, and nothing of the project is lost. */
    async cancelRestore(caller: Caller, ref: string, origin: Origin): Promise<void> {
      const row = await rowOf(ref)
      const job = await store.transaction(async (tx) => {
        const accepted = await deps.acceptJob(tx, 'project.cancel-resume', ref)
        const taken = await store.handOver(tx, ref, 'RESTORING', cancellable, accepted.id)
        if (!taken) throw notCancelled(await store.find(ref, tx))
        await record(tx, {
          organizationId: row.organization_id,
          actor: caller,
          action: 'projects.cancelRestore',
          target: projectIdentity(ref),
          change: { before: { status: 'RESTORING' }, after: { status: 'RESTORE_FAILED' } },
          origin,
        })
        return accepted
      })
      await deps.startJob(job)
    },
  }
}
export type Projects = ReturnType<typeof createProjects>

const listing = (
  { rows, pagination }: Awaited<ReturnType<ProjectStore['ofUser']>>,
  shaping: Shaping,
) => ({ projects: rows.map((row) => shapeListItem(row, shaping)), pagination })
