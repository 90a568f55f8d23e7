import type { Output, Parsed } from '#contract/endpoint'
import { planOfTier } from '#contract/billing/plans'
import {
  givesProjects,
  takesProjects,
  type transfer as api,
  type TransferPreview,
  type TransferProblem,
} from '#contract/organizations/transfer'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import { previewOf } from './preview.ts'
import type { Moving, Party, TransferStore } from './store.ts'

type Deps = {
  store: TransferStore
  record: RecordChange
  free: {
    /** Throws free_project_limit when this project would be one too many for an owner of the organization. */
    admit: (
      tx: Tx,
      organizationId: string,
      project: { adding: number; except: readonly string[]; callerId: string },
    ) => Promise<void>
    /** Its owners who have as many active projects as they may. */
    reached: (
      organizationId: string,
      tx: Tx,
    ) => Promise<{ primary_email: string; free_project_limit: number }[]>
  }
}

type Input = Parsed<typeof api.run>
type Look = { preview: TransferPreview; project: Moving; source: Party; target: Party | undefined }

/** Moves a project to another organization: what may be done there afterwards is what the people there may do. */
export function createTransfer({ store, record, free }: Deps) {
  /** Why the caller may not bring projects there; undefined when they may. */
  async function refusal(caller: Caller, slug: string): Promise<TransferProblem | undefined> {
    try {
      await caller.authorize(takesProjects, { slug })
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'organization_not_found') return 'target_organization_not_found'
      return error.code === 'mfa_required' ? 'target_requires_mfa' : 'target_not_allowed'
    }
  }

  /** Why the Free plan has no place for the project in this organization; undefined when it has. */
  async function noSlot(tx: Tx, caller: Caller, organizationId: string, ref: string) {
    try {
      await free.admit(tx, organizationId, { adding: 1, except: [ref], callerId: caller.userId })
      return undefined
    } catch (error) {
      if (error instanceof ApiError && error.code === 'free_project_limit') return error.message
      throw error
    }
  }

  /**
   * What the caller was allowed is allowed for the organization that the project is in now: when it is in another one by
   * the time it is locked, somebody else was faster.
   */
  async function permit(caller: Caller, { ref, target_organization_slug: slug }: Input) {
    const sourceId = await store.organizationOf(ref)
    await caller.authorize(givesProjects, { ref })
    return { sourceId, refused: await refusal(caller, slug) }
  }
  type Permit = Awaited<ReturnType<typeof permit>>

  async function look(
    tx: Tx,
    caller: Caller,
    { ref, target_organization_slug }: Input,
    { sourceId, refused }: Permit,
  ): Promise<Look> {
    const project = await store.project(tx, ref)
    if (!project) throw new ApiError('project_not_found')
    if (project.organization_id !== sourceId) throw new ApiError('conflict')
    const source = await store.organizationById(tx, project.organization_id)
    // Of an organization that the caller is not in nothing is told, not even that it exists.
    const target =
      refused === 'target_organization_not_found'
        ? undefined
        : await store.organization(tx, target_organization_slug)
    const elsewhere = target !== undefined && target.id !== source.id
    const counts = elsewhere && planOfTier[target.tier] === 'free' && project.status !== 'INACTIVE'
    const full = counts ? await noSlot(tx, caller, target.id, ref) : undefined
    const over = full !== undefined && target ? await free.reached(target.id, tx) : []
    const preview = previewOf({
      project,
      source,
      target,
      refused,
      full,
      exceeding: over.map((owner) => ({
        name: owner.primary_email,
        limit: owner.free_project_limit,
      })),
      // Names are told to those only who could bring a project anyway.
      nameTaken: elsewhere && !refused && (await store.nameTaken(tx, target.id, project.name)),
      losers: target
        ? await store.losers(tx, project.id, source.id, target.id)
        : { roles: 0, members: 0 },
    })
    return { project, source, target, preview }
  }

  return {
    async preview(caller: Caller, input: Input): Promise<TransferPreview> {
      const permitted = await permit(caller, input)
      return store.transaction(async (tx) => (await look(tx, caller, input, permitted)).preview)
    },

    async run(caller: Caller, input: Input, origin: Origin): Promise<Output<typeof api.run>> {
      const permitted = await permit(caller, input)
      return store.transaction(async (tx) => {
        const { preview, project, source, target } = await look(tx, caller, input, permitted)
        const [problem] = preview.errors
        if (problem || !target) throw new ApiError('transfer_refused', problem?.message)
        if (!(await store.move(tx, project, target.id))) throw new ApiError('name_taken')
        const entry = {
          actor: caller,
          action: 'transfer.run',
          target: `project:${project.ref}`,
          change: {
            name: project.name,
            before: { organization: source.slug },
            after: { organization: target.slug },
          },
          origin,
        }
        // Always in the same order: the two chains are locked one after the other.
        for (const { id } of [source, target].toSorted((a, b) => Number(a.id) - Number(b.id))) {
          await record(tx, { ...entry, organizationId: id })
        }
        return { ref: project.ref, organization_slug: target.slug }
      })
    },
  }
}
export type Transfer = ReturnType<typeof createTransfer>
