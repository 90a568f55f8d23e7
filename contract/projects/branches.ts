import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'
import { BranchMask, maskName, maxMasks } from './branch-masks.ts'
import { SettingConflict, SettingDifference, SettingName } from './branch-travel.ts'
import { maxApprovals } from './merge-requests.ts'
import { projectStatuses } from './project-status.ts'

/** How far the last job of a branch has come (facts §3.3). */
export const branchStatuses = [
  'CREATING_PROJECT',
  'RUNNING_MIGRATIONS',
  'MIGRATIONS_PASSED',
  'MIGRATIONS_FAILED',
  'FUNCTIONS_DEPLOYED',
  'FUNCTIONS_FAILED',
] as const
export type BranchStatus = (typeof branchStatuses)[number]

/**
 * What a branch has of main at its beginning: its migrations, run one by one; its whole structure, also what no migration has; or its
 * rows too, with the masks of the project.
 */
export const branchStarts = ['migrations', 'schema', 'data'] as const
export type BranchStart = (typeof branchStarts)[number]

/** Hours without use after which a branch that is not persistent is paused, unless its project chooses others. */
export const pauseAfterHours = 24
const mostHours = 24 * 30

/** Branches of one project at most, beside main. */
export const maxBranches = 20

/** Settings of one update for which a side is taken. */
const maxTaken = 2000

/** A branch: a project of its own, with a parent. `main` is the parent itself, and has no id of its own. */
export const Branch = z.object({
  /** A UUID; of main the ref of the project. */
  id: z.string(),
  name: z.string(),
  project_ref: z.string(),
  parent_project_ref: z.string(),
  is_default: z.boolean(),
  persistent: z.boolean(),
  with_data: z.boolean(),
  starts_with: z.enum(branchStarts),
  git_branch: z.string().nullable(),
  status: z.enum(branchStatuses),
  /** Of its project. */
  preview_project_status: z.enum(projectStatuses),
  /** Something is being done to it. */
  busy: z.boolean(),
  failure: z.string().nullable(),
  /** When it was last merged into main. */
  merged_at: Instant.nullable(),
  created_at: Instant,
  updated_at: Instant,
})
export type Branch = z.infer<typeof Branch>

/** What one migration is called; its statements are looked at on its own page. */
const MigrationName = z.object({
  version: z.string(),
  name: z.string().nullable(),
  statements: z.array(z.string()),
})
const FunctionDifference = z.object({
  slug: z.string(),
  change: z.enum(['added', 'changed', 'only_main']),
})

/** What a merge would carry over, and what stands in its way. */
export const BranchDifference = z.object({
  /** Of the branch, which main has not: the oldest first. */
  migrations: z.array(MigrationName),
  /** Of main, which the branch has not: it is to be updated first. */
  missing: z.array(MigrationName),
  /** Versions under which main has another migration than the branch: one of them has to get another version. */
  clashes: z.array(z.string()),
  functions: z.array(FunctionDifference),
  /** Functions that were changed here and on main since the branch was last updated. */
  conflicts: z.array(z.string()),
  /** Of the branch, which main has otherwise: what a merge writes there. */
  settings: z.array(SettingDifference),
  /** Of main, which the branch has otherwise and has not changed: what an update writes here. */
  missing_settings: z.array(SettingDifference),
  /** An update takes a side for each; until then nothing is merged. */
  setting_conflicts: z.array(SettingConflict),
  /** What a merge carries over, as a digest: another one as soon as any of it is another. */
  digest: z.string(),
  /** The same, together with the migrations of main: a dry run is of one such state of both. */
  dry_run_digest: z.string(),
  /** Changes of the branch's structure that no migration has recorded, and that no merge carries over; null: not known. */
  unrecorded: z.number().nullable(),
})
export type BranchDifference = z.infer<typeof BranchDifference>

export const BranchSettings = z.object({
  /** Null: never. */
  pause_after_hours: z.int().min(1).max(mostHours).nullable(),
  masks: z
    .array(BranchMask)
    .max(maxMasks)
    .refine(
      (masks) => new Set(masks.map(maskName)).size === masks.length,
      'Each column can be in the list once',
    ),
  /** Without these no branch is merged. */
  merge_approvals: z.int().min(0).max(maxApprovals),
})
export type BranchSettings = z.infer<typeof BranchSettings>

export const BranchStep = z.object({ at: Instant, failed: z.boolean(), message: z.string() })
export type BranchStep = z.infer<typeof BranchStep>

/** What is wrong with the name of a branch; undefined: nothing. */
export function branchNameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name'
  if (name.length > 60) return 'A name has up to 60 characters'
  if (!/^[\w./-]+$/.test(name)) return 'Use letters, digits, dots, hyphens, underscores and slashes'
  return name.toLowerCase() === 'main' ? 'main is the project itself' : undefined
}

export const branchName = z
  .string()
  .trim()
  .superRefine((name, context) => {
    const message = branchNameProblem(name)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

const resource = 'preview_branches'
const path = '/platform/projects/:ref/branches' as const
const one = `${path}/:id` as const
const ByRef = z.object({ ref: ProjectRef })
const ById = ByRef.extend({ id: z.uuid() })

/** Branches of the project `ref`, which may be asked for by the ref of any of them, too. */
export const branches = {
  /** Main first, then by name. */
  list: endpoint('branches.list', `GET ${path}`, {
    needs: inProject('read:Read', resource),
    input: ByRef,
    returns: z.object({ branches: z.array(Branch) }),
  }),
  create: endpoint('branches.create', `POST ${path}`, {
    needs: inProject('write:Create', resource),
    perMinute: 60,
    status: 201,
    input: ByRef.extend({
      name: branchName,
      persistent: z.boolean().default(false),
      starts_with: z.enum(branchStarts).default('migrations'),
      git_branch: z.string().trim().min(1).max(255).nullable().default(null),
    }),
    returns: Branch,
  }),
  update: endpoint('branches.update', `PATCH ${one}`, {
    needs: inProject('write:Update', resource),
    input: ById.extend({
      name: branchName.optional(),
      persistent: z.boolean().optional(),
      git_branch: z.string().trim().min(1).max(255).nullable().optional(),
    }),
    returns: Branch,
  }),
  remove: endpoint('branches.remove', `DELETE ${one}`, {
    needs: inProject('write:Delete', resource),
    input: ById,
    returns: Branch,
  }),
  /** What each job did, the newest first. */
  steps: endpoint('branches.steps', `GET ${one}/steps`, {
    needs: inProject('read:Read', resource),
    input: ById,
    returns: z.object({ steps: z.array(BranchStep) }),
  }),
  difference: endpoint('branches.difference', `GET ${one}/difference`, {
    needs: inProject('read:Read', resource),
    perMinute: 60,
    input: ById,
    returns: BranchDifference,
  }),
  /** Takes over what main has and the branch has not. What both have changed stays as the branch has it. */
  pull: endpoint('branches.pull', `POST ${one}/pull`, {
    needs: inProject('write:Update', resource),
    perMinute: 20,
    status: 201,
    input: ById.extend({
      /** Settings that both have changed, which are to be as main has them. */
      take_main: z.array(SettingName).max(maxTaken).default([]),
    }),
    returns: Branch,
  }),
  /** Gives main what the branch has and main has not. */
  merge: endpoint('branches.merge', `POST ${one}/merge`, {
    needs: inProject('write:Update', resource),
    perMinute: 20,
    status: 201,
    input: ById,
    returns: Branch,
  }),
  settings: endpoint('branches.settings', 'GET /platform/projects/:ref/branch-settings', {
    needs: inProject('read:Read', resource),
    input: ByRef,
    returns: BranchSettings,
  }),
  /** For branches that are made, or reset, from now on; when they are paused, for all. */
  setSettings: endpoint('branches.setSettings', 'PUT /platform/projects/:ref/branch-settings', {
    needs: inProject('write:Update', 'projects'),
    perMinute: 60,
    input: ByRef.extend({
      ...BranchSettings.shape,
      /** As they are where it is not named. */
      merge_approvals: BranchSettings.shape.merge_approvals.optional(),
    }),
    returns: BranchSettings,
  }),
  /** Throws its database away and makes it anew from what main has now. */
  reset: endpoint('branches.reset', `POST ${one}/reset`, {
    needs: inProject('write:Update', resource),
    perMinute: 20,
    status: 201,
    input: ById,
    returns: Branch,
  }),
}
