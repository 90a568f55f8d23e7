import { keepPreviousData } from '@tanstack/react-query'
import type { Endpoint, Input, Output } from '#contract/endpoint'
import { branches, type Branch } from '#contract/projects/branches'
import { git } from '#contract/projects/git'
import { mergeRequests } from '#contract/projects/merge-requests'
import { q, useCall } from '../../../api/client.ts'

/** Read again whenever something was done to the branch; until then what was there before is shown. */
const ofBranch = <E extends typeof branches.difference | typeof branches.steps>(
  endpoint: E,
  { parent_project_ref: ref, id, updated_at: updated }: Branch,
) => {
  const { queryKey, ...rest } = q(endpoint, { ref, id } as Input<E>, 0)
  return { ...rest, queryKey: [...queryKey, updated], placeholderData: keepPreviousData }
}
export const differenceQuery = (branch: Branch) => ofBranch(branches.difference, branch)
export const stepsQuery = (branch: Branch) => ofBranch(branches.steps, branch)

/** A call that changes branches; every list of them is read again. */
export function useBranchCall<E extends Endpoint>(
  endpoint: E,
  onDone: (made: Output<E>, input: Input<E>) => void,
) {
  return useCall(endpoint, {
    changes: [branches.list, branches.difference, branches.steps, mergeRequests.list],
    onSuccess: onDone,
  })
}

export const requestsQuery = (ref: string) => q(mergeRequests.list, { ref }, 0)
/** Read again whenever something was done to the branch: a merge ends its request. */
export const requestsOfBranchQuery = ({ parent_project_ref: ref, updated_at: updated }: Branch) => {
  const { queryKey, ...rest } = requestsQuery(ref)
  return { ...rest, queryKey: [...queryKey, updated], placeholderData: keepPreviousData }
}
export const requestNotesQuery = (ref: string, id: string) => q(mergeRequests.notes, { ref, id }, 0)
export const reviewersQuery = (ref: string) => q(mergeRequests.reviewers, { ref }, 0)
/** A call that changes requests, or says something of one. */
export function useRequestCall<E extends Endpoint>(endpoint: E, onDone: () => void) {
  return useCall(endpoint, {
    changes: [mergeRequests.list, mergeRequests.notes],
    onSuccess: onDone,
  })
}

/** Where commits come from, and what was deployed of them. */
export const ofGit = [git.get, git.deployments]

export const branchSettingsQuery = (ref: string) => q(branches.settings, { ref })
export const useBranchSettings = (onSaved: () => void) =>
  useCall(branches.setSettings, {
    changes: [branches.settings, mergeRequests.list],
    onSuccess: onSaved,
  })

/** What a branch is doing, or how its last job ended. */
export function standingOf({ busy, status, failure }: Branch): {
  tone: 'success' | 'danger' | 'working'
  word: string
} {
  if (busy) {
    if (status === 'CREATING_PROJECT') return { tone: 'working', word: 'Being created' }
    return {
      tone: 'working',
      word:
        status === 'RUNNING_MIGRATIONS' ? 'Running migrations' : 'Deploying functions and settings',
    }
  }
  if (failure !== null) {
    const isOfFunctions = status === 'FUNCTIONS_FAILED'
    return {
      tone: 'danger',
      word: isOfFunctions ? 'Functions or settings failed' : 'Migrations failed',
    }
  }
  return { tone: 'success', word: 'Ready' }
}
