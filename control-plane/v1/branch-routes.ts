import type { Action } from '#contract/permissions'
import type { Output, Parsed } from '#contract/endpoint'
import type { Branch, branches as own } from '#contract/projects/branches'
import type { ProjectSettings } from '#contract/projects/projects'
import { v1 as api } from '#contract/v1/v1'
import type { V1Branch } from '#contract/v1/v1-branches'
import { ApiError } from '#kit/errors'
import { implement, implementRaw, type Caller, type Origin } from '#kit/http'
import type { ProjectParts } from './project-routes.ts'

type Ordered = (caller: Caller, ref: string, id: string, origin: Origin) => Promise<Branch>
export type BranchParts = {
  branches: {
    /** By its own id, or by the ref of its project. */
    findAny(key: string): Promise<{ id: string; ref: string; parent_ref: string } | undefined>
    list(ref: string): Promise<Output<typeof own.list>>
    create(caller: Caller, input: Parsed<typeof own.create>, origin: Origin): Promise<Branch>
    update(caller: Caller, input: Parsed<typeof own.update>, origin: Origin): Promise<Branch>
    difference(caller: Caller, ref: string, id: string): Promise<Output<typeof own.difference>>
    remove: Ordered
    pull: Ordered
    merge: Ordered
    reset: Ordered
  }
  project: ProjectParts['get']
  /** What its project's own settings page says, by the rights of the caller. */
  settings: (caller: Caller, ref: string) => Promise<ProjectSettings>
  /** The password of its database. */
  passwordOf: (ref: string) => Promise<string>
  databaseHost: string
}

const resource = 'preview_branches'

/** Branches for programs, which name them by their ids alone. */
export function v1BranchRoutes({ branches, ...parts }: BranchParts) {
  /** A branch that this caller may do it to; others learn nothing of it. */
  async function allowed(caller: Caller, key: string, action: Action) {
    const row = await branches.findAny(key)
    if (!row) throw new ApiError('branch_not_found')
    try {
      await caller.authorize({ action, resource, in: 'project' }, { ref: row.ref })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'project_not_found')
        throw new ApiError('branch_not_found')
      throw error
    }
    return row
  }
  const named = async (ref: string, name: string) => {
    const found = (await branches.list(ref)).branches.find(
      (one) => !one.is_default && one.name.toLowerCase() === name.toLowerCase(),
    )
    if (!found) throw new ApiError('branch_not_found')
    return found
  }
  const ordered = ({ id }: Branch) => ({ workflow_run_id: id, message: 'ok' as const })

  return [
    implement(api.branches, async ({ ref }) =>
      (await branches.list(ref)).branches.filter((one) => !one.is_default).map(shown),
    ),
    implement(api.createBranch, async (input, caller, origin) => {
      const { ref, branch_name: name, git_branch = null, persistent, with_data } = input
      const starts_with = with_data ? ('data' as const) : ('migrations' as const)
      const wanted = { ref, name, persistent, git_branch, starts_with }
      return shown(await branches.create(caller, wanted, origin))
    }),
    implement(api.disableBranches, async ({ ref }) => {
      if ((await branches.list(ref)).branches.length > 1) throw new ApiError('has_branches')
      return {}
    }),
    implement(api.findBranch, async ({ ref, branch_name: name }) => shown(await named(ref, name))),
    implement(api.branch, async ({ branch_id: key }, caller) => {
      const { ref } = await allowed(caller, key, 'read:Read')
      const project = await parts.project(ref)
      const { jwt_secret } = await parts.settings(caller, ref)
      return {
        ref,
        postgres_version: project.dbVersion,
        postgres_engine: project.dbVersion.split('.')[0] ?? '',
        release_channel: 'ga' as const,
        status: project.status,
        db_host: parts.databaseHost,
        db_port: project.db_port ?? 5432,
        db_user: project.db_user,
        // Who may read the secret that opens everything may read the password, too.
        ...(jwt_secret !== undefined && { jwt_secret, db_pass: await parts.passwordOf(ref) }),
      }
    }),
    implement(
      api.updateBranch,
      async ({ branch_id: key, branch_name, ...rest }, caller, origin) => {
        const { parent_ref: ref, id } = await allowed(caller, key, 'write:Update')
        const name = branch_name === undefined ? {} : { name: branch_name }
        return shown(await branches.update(caller, { ref, id, ...name, ...rest }, origin))
      },
    ),
    implement(api.removeBranch, async ({ branch_id: key }, caller, origin) => {
      const { parent_ref: ref, id } = await allowed(caller, key, 'write:Delete')
      await branches.remove(caller, ref, id, origin)
      return { message: 'ok' as const }
    }),
    implementRaw(api.branchDifference, async ({ branch_id: key }, caller, { reply }) => {
      if (!caller) throw new ApiError('not_signed_in')
      const { parent_ref: ref, id } = await allowed(caller, key, 'read:Read')
      const { migrations } = await branches.difference(caller, ref, id)
      const text = migrations.map(
        ({ version, name, statements }) =>
          `-- ${[version, name].filter(Boolean).join(' ')}\n${statements.map((one) => `${one.replace(/;\s*$/, '')};\n`).join('')}`,
      )
      return reply.type('text/plain; charset=utf-8').send(text.join('\n'))
    }),
    implement(api.mergeBranch, async ({ branch_id: key }, caller, origin) => {
      const { parent_ref: ref, id } = await allowed(caller, key, 'write:Update')
      return ordered(await branches.merge(caller, ref, id, origin))
    }),
    implement(api.pushBranch, async ({ branch_id: key }, caller, origin) => {
      const { parent_ref: ref, id } = await allowed(caller, key, 'write:Update')
      return ordered(await branches.pull(caller, ref, id, origin))
    }),
    implement(api.resetBranch, async ({ branch_id: key }, caller, origin) => {
      const { parent_ref: ref, id } = await allowed(caller, key, 'write:Update')
      return ordered(await branches.reset(caller, ref, id, origin))
    }),
  ]
}

/** What is ordered has begun for programs, which wait for the status alone to say that it is over. */
const statusOf = ({ busy, status }: Branch): V1Branch['status'] =>
  busy && isOver.has(status) ? 'RUNNING_MIGRATIONS' : status
const isOver = new Set<V1Branch['status']>([
  'MIGRATIONS_FAILED',
  'FUNCTIONS_FAILED',
  'FUNCTIONS_DEPLOYED',
])

const shown = (branch: Branch): V1Branch => ({
  id: branch.id,
  name: branch.name,
  project_ref: branch.project_ref,
  parent_project_ref: branch.parent_project_ref,
  is_default: branch.is_default,
  persistent: branch.persistent,
  with_data: branch.with_data,
  status: statusOf(branch),
  preview_project_status: branch.preview_project_status,
  created_at: branch.created_at,
  updated_at: branch.updated_at,
  ...(branch.git_branch !== null && { git_branch: branch.git_branch }),
})
