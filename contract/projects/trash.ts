import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inOrganization } from '../permissions.ts'
import { Instant, Pagination, pageInput, ProjectRef, Slug } from '../values.ts'

/** A deleted project or branch that can be brought back. */
export const TrashedProject = z.object({
  ref: z.string(),
  name: z.string(),
  /** What it is a branch of, and its name as a branch; null: it is none. */
  branch: z
    .object({
      name: z.string(),
      parent_ref: z.string(),
      parent_name: z.string(),
      /** The parent is deleted, and has to be brought back first. */
      parent_deleted: z.boolean(),
    })
    .nullable(),
  /** Branches of it that wait as well, and are removed with it. */
  branches: z.number(),
  /** Their mail address; null: they have no account any more. */
  deleted_by: z.string().nullable(),
  deleted_at: Instant,
  removed_for_good_at: Instant,
  /** `stopping`: its server is still being stopped. `removing`: it is being removed for good. */
  state: z.enum(['stopping', 'waiting', 'removing']),
  /** Whether who asks may restore it and remove it for good: who may delete it may. */
  allowed: z.boolean(),
})
export type TrashedProject = z.infer<typeof TrashedProject>

/**
 * So many of an organization wait at most; beyond them the oldest are removed for good. On Free those of other Free organizations
 * that the same person has deleted count as well: each takes disk, and nobody pays for it.
 */
export const trashHolds = { free: 5, paid: 50 } as const

/** What deleting a project needs, and so what bringing it back does; of a branch the other. */
export const trashRights = { project: 'projects', branch: 'preview_branches' } as const

const path = '/platform/organizations/:slug/trash' as const
/** Who sees the list; what somebody may do to a project in it depends on their rights on that project. */
const needs = inOrganization('read:Read', 'projects.list')
const ByRef = z.object({ slug: Slug, ref: ProjectRef })

export const trash = {
  /** Those that were deleted last come first. */
  list: endpoint('trash.list', `GET ${path}`, {
    needs,
    input: z.object({ slug: Slug, ...pageInput }),
    returns: z.object({ projects: z.array(TrashedProject), pagination: Pagination }),
  }),
  /** The project is RESTORING afterwards. `left`: what has not come back with it, in words. */
  restore: endpoint('trash.restore', `POST ${path}/:ref/restore`, {
    needs,
    perMinute: 60,
    input: ByRef,
    returns: z.object({ ref: z.string(), name: z.string(), left: z.array(z.string()) }),
  }),
  /** Removes it for good now, with its branches that wait. */
  remove: endpoint('trash.remove', `DELETE ${path}/:ref`, {
    needs,
    perMinute: 60,
    input: ByRef,
    returns: z.object({ ref: z.string(), name: z.string() }),
  }),
}
