import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

export const requestStates = ['open', 'merged', 'closed'] as const
export type RequestState = (typeof requestStates)[number]
export const verdicts = ['approved', 'changes_requested'] as const
export type Verdict = (typeof verdicts)[number]

/** Most approvals that a project can ask for. */
export const maxApprovals = 10
const maxReviewers = 20

/** Null: an account that is gone. */
const Person = z.object({ id: z.string(), email: z.string().nullable() })

/** A request to merge one branch into main. */
export const MergeRequest = z.object({
  id: z.string(),
  branch_id: z.string(),
  branch_name: z.string(),
  title: z.string(),
  description: z.string(),
  state: z.enum(requestStates),
  author: Person,
  reviewers: z.array(Person),
  created_at: Instant,
  closed_at: Instant.nullable(),
})
export type MergeRequest = z.infer<typeof MergeRequest>

/** A comment; with a verdict a review of what the branch had when its difference had this digest. */
export const MergeRequestNote = z.object({
  id: z.string(),
  author: Person,
  at: Instant,
  verdict: z.enum(verdicts).nullable(),
  digest: z.string().nullable(),
  /** Its author may merge and asks for none themselves, and has said nothing else since. */
  counts: z.boolean(),
  body: z.string(),
})
export type MergeRequestNote = z.infer<typeof MergeRequestNote>

const text = (max: number) => z.string().trim().max(max)
const title = text(200).min(1)
const description = text(5000)
const reviewers = z.array(z.uuid()).max(maxReviewers)

const resource = 'preview_branches'
const path = '/platform/projects/:ref/merge-requests' as const
const one = `${path}/:id` as const
const ByRef = z.object({ ref: ProjectRef })
const ById = ByRef.extend({ id: z.uuid() })

/** Requests to merge branches of the project `ref`; one that is open at a time for each branch. */
export const mergeRequests = {
  /** The newest first; only the last hundred. */
  list: endpoint('mergeRequests.list', `GET ${path}`, {
    needs: inProject('read:Read', resource),
    input: ByRef,
    returns: z.object({ requests: z.array(MergeRequest), approvals_needed: z.number() }),
  }),
  /** Members who may merge, and so review. */
  reviewers: endpoint('mergeRequests.reviewers', 'GET /platform/projects/:ref/merge-reviewers', {
    needs: inProject('read:Read', resource),
    input: ByRef,
    returns: z.object({ reviewers: z.array(Person) }),
  }),
  create: endpoint('mergeRequests.create', `POST ${path}`, {
    needs: inProject('write:Update', resource),
    perMinute: 20,
    status: 201,
    input: ByRef.extend({
      branch_id: z.uuid(),
      title,
      description: description.default(''),
      reviewers: reviewers.default([]),
    }),
    returns: MergeRequest,
  }),
  update: endpoint('mergeRequests.update', `PATCH ${one}`, {
    needs: inProject('write:Update', resource),
    perMinute: 60,
    input: ById.extend({
      title: title.optional(),
      description: description.optional(),
      reviewers: reviewers.optional(),
      /** It is not opened again: what was approved is forgotten with it. */
      state: z.literal('closed').optional(),
    }),
    returns: MergeRequest,
  }),
  notes: endpoint('mergeRequests.notes', `GET ${one}/notes`, {
    needs: inProject('read:Read', resource),
    input: ById,
    returns: z.object({ notes: z.array(MergeRequestNote) }),
  }),
  comment: endpoint('mergeRequests.comment', `POST ${one}/notes`, {
    needs: inProject('read:Read', resource),
    perMinute: 30,
    status: 201,
    input: ById.extend({ body: text(5000).min(1) }),
    returns: z.object({}),
  }),
  /** `digest`: of the difference that was looked at. It is refused when the branch has changed since. */
  review: endpoint('mergeRequests.review', `POST ${one}/reviews`, {
    needs: inProject('write:Update', resource),
    perMinute: 30,
    status: 201,
    input: ById.extend({
      verdict: z.enum(verdicts),
      digest: z.string().min(1).max(100),
      body: text(5000).default(''),
    }),
    returns: z.object({}),
  }),
}
