import { branches, type Branch } from '#contract/projects/branches'
import { q } from '../../api/client.ts'
import { isMoving } from './project-status.ts'

const busyMs = 1500
const quietMs = 30_000

/** Something happens to it without anybody's doing. */
export const isChanging = ({ busy, preview_project_status }: Branch): boolean =>
  busy || isMoving(preview_project_status)

/** The branches of the project that `ref` belongs to, main first; looked at more often while something is being done to one. */
export const branchesQuery = (ref: string) => ({
  ...q(branches.list, { ref }, 10_000),
  refetchInterval: ({ state }: { state: { data?: { branches: Branch[] } | undefined } }) =>
    state.data?.branches.some(isChanging) ? busyMs : quietMs,
})
