import type { Branch } from '#contract/projects/branches'
import { ApiError } from '#kit/errors'
import type { Tx } from '../../platform-database/database.ts'
import type { BranchRow, BranchStore, Parent } from './store.ts'

const longestProjectName = 64

/** What a branch is called among projects: no two projects of an organization have the same name. */
export const projectNameOf = (parent: string, branch: string): string => {
  const end = ` / ${branch}`
  return parent.slice(0, Math.max(0, longestProjectName - end.length)) + end
}

/** @throws ApiError project_not_found */
export const createParentOf =
  (store: BranchStore) =>
  async (ref: string, tx?: Tx): Promise<Parent> => {
    const parent = await store.parentOf(ref, tx)
    if (!parent) throw new ApiError('project_not_found')
    return parent
  }

export const mainOf = (parent: Parent): Branch => ({
  id: parent.ref,
  name: 'main',
  project_ref: parent.ref,
  parent_project_ref: parent.ref,
  is_default: true,
  persistent: true,
  with_data: true,
  starts_with: 'data',
  git_branch: null,
  status: 'FUNCTIONS_DEPLOYED',
  preview_project_status: parent.status,
  busy: false,
  failure: null,
  merged_at: null,
  created_at: parent.inserted_at.toISOString(),
  updated_at: parent.updated_at.toISOString(),
})

export const shape = (row: BranchRow): Branch => ({
  id: row.id,
  name: row.name,
  project_ref: row.ref,
  parent_project_ref: row.parent_ref,
  is_default: false,
  persistent: row.persistent,
  with_data: row.with_data,
  starts_with: row.starts_with,
  git_branch: row.git_branch,
  status: row.status,
  preview_project_status: row.project_status,
  busy: row.job_id !== null,
  failure: row.failure,
  merged_at: row.merged_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
