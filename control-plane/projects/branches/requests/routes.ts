import { mergeRequests as api } from '#contract/projects/merge-requests'
import { implement } from '#kit/http'
import type { MergeRequests } from './requests.ts'

export const mergeRequestRoutes = (requests: MergeRequests) => [
  implement(api.list, ({ ref }) => requests.list(ref)),
  implement(api.reviewers, ({ ref }) => requests.reviewers(ref)),
  implement(api.create, (input, caller, origin) => requests.create(caller, input, origin)),
  implement(api.update, (input, caller, origin) => requests.update(caller, input, origin)),
  implement(api.notes, ({ ref, id }) => requests.notes(ref, id)),
  implement(api.comment, (input, caller, origin) => requests.comment(caller, input, origin)),
  implement(api.review, (input, caller, origin) => requests.review(caller, input, origin)),
]
