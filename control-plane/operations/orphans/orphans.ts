import type { Output, Parsed } from '#contract/endpoint'
import type { orphans as api } from '#contract/operations/orphans'
import type { ProjectStatus } from '#contract/projects/project-status'
import { ApiError } from '#kit/errors'
import type { Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { OrphanKey, OrphanStore } from './store.ts'

type Deps = {
  store: OrphanStore
  record: RecordChange
  startJob: (job: Job) => Promise<void>
  /** Ends and removes everything of a project that has no row. */
  destroy: (ref: string) => Promise<void>
  /** Writes the row of a project that is there and has its server take new passwords; the job then starts it. */
  adoptProject: (
    tx: Tx,
    input: Omit<Parsed<typeof api.adoptProject>, 'name'> & { name: string },
  ) => Promise<{ organizationId: string; job: Job; status: ProjectStatus }>
  /** Writes the row of a backup that is there; the job then reads it back. */
  adoptBackup: (tx: Tx, ref: string, id: string) => Promise<{ organizationId: string; job: Job }>
  removeBackup: (ref: string, id: string) => Promise<void>
  /** How many stored files no row of a project's database names; `remove`: they are gone. */
  unnamed: (ref: string, remove: boolean) => Promise<number>
}

/** What no row knows, in the operator's hands: listed, adopted or removed. Nothing else takes it away. */
export function createOrphans(deps: Deps) {
  const { store, record } = deps

  async function found(key: OrphanKey): Promise<void> {
    if (!(await store.find(key))) throw new ApiError('orphan_not_found')
  }
  const project = (ref: string): OrphanKey => ({ kind: 'project', ref, name: '' })
  const backup = (ref: string, id: number): OrphanKey => ({ kind: 'backup', ref, name: String(id) })
  const entry = (action: string, { ref, name }: OrphanKey, origin: Origin) => ({
    actor: null,
    action,
    target: name === '' ? `project:${ref}` : `backup:${ref}/${name}`,
    origin,
  })

  /** The entry comes first: what is broken off is still there, and the word can be said again. */
  async function remove(
    key: OrphanKey,
    action: string,
    origin: Origin,
    destroy: () => Promise<void>,
  ): Promise<{ removed: boolean }> {
    await found(key)
    await store.transaction((tx) =>
      record(tx, { ...entry(action, key, origin), organizationId: null, change: {} }),
    )
    await destroy()
    await store.transaction((tx) => store.take(tx, key))
    return { removed: true }
  }

  return {
    async list(): Promise<Output<typeof api.list>> {
      const rows = await store.list()
      return {
        orphans: rows.map(({ found_at, ...row }) => ({ ...row, found_at: found_at.toISOString() })),
      }
    },

    async adoptProject(
      input: Parsed<typeof api.adoptProject>,
      origin: Origin,
    ): Promise<Output<typeof api.adoptProject>> {
      const { ref, organization_slug: slug } = input
      const name = input.name ?? `Adopted ${ref}`
      const { job, status } = await store.transaction(async (tx) => {
        const key = project(ref)
        if (!(await store.take(tx, key))) throw new ApiError('orphan_not_found')
        if (await store.isKnown(ref, tx)) throw new ApiError('no_orphan')
        const adopted = await deps.adoptProject(tx, { ...input, name })
        await record(tx, {
          ...entry('orphans.adoptProject', key, origin),
          organizationId: adopted.organizationId,
          change: { after: { name, organization_slug: slug } },
        })
        return adopted
      })
      await deps.startJob(job)
      return { ref, name, status }
    },

    removeProject: ({ ref }: Parsed<typeof api.removeProject>, origin: Origin) =>
      remove(project(ref), 'orphans.removeProject', origin, async () => {
        // It may have been adopted since it was looked for.
        if (await store.isKnown(ref)) throw new ApiError('no_orphan')
        await deps.destroy(ref)
      }),

    async adoptBackup(
      { ref, id }: Parsed<typeof api.adoptBackup>,
      origin: Origin,
    ): Promise<Output<typeof api.adoptBackup>> {
      const job = await store.transaction(async (tx) => {
        const key = backup(ref, id)
        if (!(await store.take(tx, key))) throw new ApiError('orphan_not_found')
        const adopted = await deps.adoptBackup(tx, ref, key.name)
        const { organizationId } = adopted
        const what = entry('orphans.adoptBackup', key, origin)
        await record(tx, { ...what, organizationId, change: {} })
        return adopted.job
      })
      await deps.startJob(job)
      return { id, status: 'PENDING' }
    },

    objects: async ({ ref }: Parsed<typeof api.objects>) => ({
      count: await deps.unnamed(ref, false),
    }),

    async removeObjects({ ref }: Parsed<typeof api.removeObjects>, origin: Origin) {
      // Whether there is such a project; the entry comes before anything goes.
      const before = await deps.unnamed(ref, false)
      await store.transaction((tx) =>
        record(tx, {
          ...entry('orphans.removeObjects', project(ref), origin),
          organizationId: null,
          change: { before: { count: before } },
        }),
      )
      return { count: await deps.unnamed(ref, true) }
    },

    removeBackup: ({ ref, id }: Parsed<typeof api.removeBackup>, origin: Origin) =>
      remove(backup(ref, id), 'orphans.removeBackup', origin, () =>
        deps.removeBackup(ref, String(id)),
      ),
  }
}
export type Orphans = ReturnType<typeof createOrphans>
