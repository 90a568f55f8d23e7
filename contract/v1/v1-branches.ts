import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { branchName, branchStatuses } from '../projects/branches.ts'
import { projectStatuses } from '../projects/project-status.ts'
import { Instant, ProjectRef } from '../values.ts'

/** A branch as public clients know it (facts §3.3); main is not among them. */
export const V1Branch = z.object({
  id: z.uuid(),
  name: z.string(),
  project_ref: z.string(),
  parent_project_ref: z.string(),
  is_default: z.boolean(),
  git_branch: z.string().optional(),
  persistent: z.boolean(),
  with_data: z.boolean(),
  status: z.enum(branchStatuses),
  preview_project_status: z.enum(projectStatuses),
  created_at: Instant,
  updated_at: Instant,
})
export type V1Branch = z.infer<typeof V1Branch>

/** How a branch's database is reached; the last two for who may read secrets. */
export const V1BranchDetail = z.object({
  ref: z.string(),
  postgres_version: z.string(),
  postgres_engine: z.string(),
  release_channel: z.literal('ga'),
  status: z.enum(projectStatuses),
  db_host: z.string(),
  db_port: z.int(),
  db_user: z.string(),
  db_pass: z.string().optional(),
  jwt_secret: z.string().optional(),
})

const path = '/v1/branches/:branch_id' as const
const ByRef = z.object({ ref: ProjectRef })
/** The id of a branch, or the ref of its project. */
const ById = z.object({ branch_id: z.string().min(1).max(64) })
const gitBranch = z.string().trim().min(1).max(255)
const resource = 'preview_branches'
/** As programs of the hosted service wait for it; here its own id says which branch it was. */
const Ordered = z.object({ workflow_run_id: z.string(), message: z.literal('ok') })
/** Only a part of the migrations cannot be carried over. */
const AllOfThem = ById.extend({ migration_version: z.undefined().optional() })

/** What is asked by the id of a branch is allowed to whoever may do it in its project. */
export const v1Branches = {
  branches: endpoint('v1.branches', 'GET /v1/projects/:ref/branches', {
    needs: inProject('read:Read', resource),
    input: ByRef,
    returns: z.array(V1Branch),
  }),
  createBranch: endpoint('v1.createBranch', 'POST /v1/projects/:ref/branches', {
    needs: inProject('write:Create', resource),
    perMinute: 60,
    status: 201,
    input: ByRef.extend({
      branch_name: branchName,
      git_branch: gitBranch.optional(),
      persistent: z.boolean().default(false),
      /** With the rows of main; otherwise it begins with its migrations and without rows. */
      with_data: z.boolean().default(false),
      is_default: z.literal(false).optional(),
    }),
    returns: V1Branch,
  }),
  /** Refused as long as there are any: each is deleted by itself. */
  disableBranches: endpoint('v1.disableBranches', 'DELETE /v1/projects/:ref/branches', {
    needs: inProject('write:Delete', resource),
    input: ByRef,
    returns: z.object({}),
  }),
  findBranch: endpoint('v1.findBranch', 'GET /v1/projects/:ref/branches/:branch_name', {
    needs: inProject('read:Read', resource),
    input: ByRef.extend({ branch_name: z.string().min(1).max(255) }),
    returns: V1Branch,
  }),
  branch: endpoint('v1.branch', `GET ${path}`, {
    needs: 'signed-in',
    input: ById,
    returns: V1BranchDetail,
  }),
  updateBranch: endpoint('v1.updateBranch', `PATCH ${path}`, {
    needs: 'signed-in',
    input: ById.extend({
      branch_name: branchName.optional(),
      git_branch: gitBranch.optional(),
      persistent: z.boolean().optional(),
    }),
    returns: V1Branch,
  }),
  removeBranch: endpoint('v1.removeBranch', `DELETE ${path}`, {
    needs: 'signed-in',
    input: ById,
    returns: z.object({ message: z.literal('ok') }),
  }),
  /** The migrations that a merge would run on main, as SQL. */
  branchDifference: endpoint('v1.branchDifference', `GET ${path}/diff`, {
    needs: 'signed-in',
    raw: true,
    input: ById,
    returns: z.string(),
  }),
  mergeBranch: endpoint('v1.mergeBranch', `POST ${path}/merge`, {
    needs: 'signed-in',
    perMinute: 20,
    status: 201,
    input: AllOfThem,
    returns: Ordered,
  }),
  /** Takes over what main has. */
  pushBranch: endpoint('v1.pushBranch', `POST ${path}/push`, {
    needs: 'signed-in',
    perMinute: 20,
    status: 201,
    input: AllOfThem,
    returns: Ordered,
  }),
  resetBranch: endpoint('v1.resetBranch', `POST ${path}/reset`, {
    needs: 'signed-in',
    perMinute: 20,
    status: 201,
    input: AllOfThem,
    returns: Ordered,
  }),
}
