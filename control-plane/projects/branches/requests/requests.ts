import type { Output, Parsed } from '#contract/endpoint'
import type { MergeRequest, mergeRequests as api } from '#contract/projects/merge-requests'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../../../organizations/audit/audit.ts'
import type { Tx } from '../../../platform-database/database.ts'
import { lockProject } from '../../../platform-database/lock-project.ts'
import type { Found } from '../ordering.ts'
import type { Parent } from '../store.ts'
import { reviewsThatCount, type MayMerge } from './approvals.ts'
import { maxNotes, type RequestRow, type RequestsStore } from './requests-store.ts'

type Deps = {
  store: RequestsStore
  transaction: <T>(run: (tx: Tx) => Promise<T>) => Promise<T>
  record: RecordChange
  parentOf: (ref: string) => Promise<Parent>
  find: (ref: string, id: string) => Promise<Found>
  /** The digest of what a merge of this branch would carry over now. */
  digestOf: (found: Found) => Promise<string>
  mayMerge: MayMerge
  neededOf: (parentId: string) => Promise<number>
}
export type MergeRequests = ReturnType<typeof createMergeRequests>

const shown = ({ created_at, closed_at, ...row }: RequestRow): MergeRequest => ({
  ...row,
  created_at: created_at.toISOString(),
  closed_at: closed_at?.toISOString() ?? null,
})

/** The rules of requests to merge: who asks, who looks, and what they say of it. */
export function createMergeRequests({ store, record, parentOf, ...deps }: Deps) {
  async function found(ref: string, id: string) {
    const parent = await parentOf(ref)
    const request = await store.find(parent.id, id)
    if (!request) throw new ApiError('merge_request_not_found')
    return { parent, request }
  }
  function checkOpen({ state }: RequestRow): void {
    if (state !== 'open') throw new ApiError('merge_request_closed')
  }
  async function reviewersOf(parent: Parent) {
    const members = await store.members(parent.organization_id)
    const able = await Promise.all(members.map(({ id }) => deps.mayMerge(id, parent.ref)))
    return members.filter((_, at) => able[at])
  }
  async function checkReviewers(
    parent: Parent,
    ids: readonly string[],
    author: string | null,
  ): Promise<string[]> {
    if (author !== null && ids.includes(author))
      throw new ApiError('invalid_input', 'reviewers: nobody reviews their own request')
    const known = new Set((await reviewersOf(parent)).map(({ id }) => id))
    if (ids.some((id) => !known.has(id)))
      throw new ApiError('invalid_input', 'reviewers: each has to be a member who may merge')
    return [...new Set(ids)]
  }

  /** One change with its audit entry, while nobody else changes the project. */
  const change = (
    caller: Caller,
    origin: Origin,
    parent: Parent,
    action: string,
    work: (tx: Tx) => Promise<Record<string, unknown>>,
  ) =>
    deps.transaction(async (tx) => {
      await lockProject(tx, parent.ref)
      const after = await work(tx)
      await record(tx, {
        organizationId: parent.organization_id,
        actor: caller,
        action: `mergeRequests.${action}`,
        target: `project:${parent.ref}`,
        change: { after },
        origin,
      })
    })

  return {
    async list(ref: string): Promise<Output<typeof api.list>> {
      const parent = await parentOf(ref)
      const [requests, approvals_needed] = await Promise.all([
        store.list(parent.id),
        deps.neededOf(parent.id),
      ])
      return { requests: requests.map(shown), approvals_needed }
    },

    reviewers: async (ref: string): Promise<Output<typeof api.reviewers>> => ({
      reviewers: await reviewersOf(await parentOf(ref)),
    }),

    async create(caller: Caller, input: Parsed<typeof api.create>, origin: Origin) {
      const { parent, row } = await deps.find(input.ref, input.branch_id)
      const { title, description } = input
      const reviewers = await checkReviewers(parent, input.reviewers, caller.userId)
      let id = ''
      await change(caller, origin, parent, 'create', async (tx) => {
        const made = await store.insert(tx, {
          branch_id: row.id,
          title,
          description,
          reviewers,
          created_by: caller.userId,
        })
        if (!made) throw new ApiError('merge_request_open')
        ;({ id } = made)
        return { request: id, branch_id: row.id, branch: row.name, title, reviewers }
      })
      return shown((await found(parent.ref, id)).request)
    },

    async update(caller: Caller, input: Parsed<typeof api.update>, origin: Origin) {
      const { ref, id, state, ...values } = input
      const { parent, request } = await found(ref, id)
      checkOpen(request)
      const { title = request.title, description = request.description } = values
      const reviewers =
        values.reviewers === undefined
          ? request.reviewers.map((one) => one.id)
          : await checkReviewers(parent, values.reviewers, request.author.id)
      await change(caller, origin, parent, state ? 'close' : 'update', async (tx) => {
        const closed = state ? { state, closed_at: new Date() } : {}
        if (!(await store.update(tx, id, { title, description, reviewers, ...closed })))
          throw new ApiError('merge_request_closed')
        return { request: id, branch: request.branch_name, title, reviewers }
      })
      return shown((await found(ref, id)).request)
    },

    async notes(ref: string, id: string): Promise<Output<typeof api.notes>> {
      const { parent, request } = await found(ref, id)
      const notes = await store.notes(id)
      const counting = await reviewsThatCount(request, notes, (user) =>
        deps.mayMerge(user, parent.ref),
      )
      return {
        notes: notes.map(({ user_id, email, at, ...note }) => ({
          ...note,
          author: { id: user_id, email },
          at: at.toISOString(),
          counts: counting.some((one) => one.id === note.id),
        })),
      }
    },

    async comment(caller: Caller, input: Parsed<typeof api.comment>, origin: Origin) {
      const { ref, id, body } = input
      const { parent, request } = await found(ref, id)
      await change(caller, origin, parent, 'comment', async (tx) => {
        await checkRoom(tx, id)
        const note = { request_id: id, user_id: caller.userId, verdict: null, digest: null, body }
        await store.addNote(tx, note)
        return { request: id, branch: request.branch_name }
      })
      return {}
    },

    async review(caller: Caller, input: Parsed<typeof api.review>, origin: Origin) {
      const { ref, id, verdict, digest, body } = input
      const { parent, request } = await found(ref, id)
      checkOpen(request)
      if (request.author.id === caller.userId) throw new ApiError('own_merge_request')
      const branch = await deps.find(ref, request.branch_id)
      if ((await deps.digestOf(branch)) !== digest) throw new ApiError('branch_changed')
      await change(caller, origin, parent, 'review', async (tx) => {
        const now = await store.find(parent.id, id, tx)
        if (now?.state !== 'open') throw new ApiError('merge_request_closed')
        await checkRoom(tx, id)
        await store.addNote(tx, { request_id: id, user_id: caller.userId, verdict, digest, body })
        const { title, branch_id, author } = request
        return { request: id, branch: request.branch_name, branch_id, title, verdict, author }
      })
      return {}
    },
  }

  async function checkRoom(tx: Tx, id: string): Promise<void> {
    if ((await store.notes(id, tx)).length >= maxNotes)
      throw new ApiError('invalid_input', `A request has up to ${maxNotes} comments and reviews`)
  }
}
