import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

/** Stands in the address of an archive for the commit. */
export const commitPlace = '{commit}'
/** Most bytes of what a git host says of a push. */
const largestPush = 5 * 1024 * 1024

/** What is wrong with the address of archives; undefined: nothing. Where it leads is looked at when it is asked. */
export function archiveUrlProblem(text: string): string | undefined {
  if (!text.includes(commitPlace)) return `The address needs ${commitPlace} where the commit goes`
  const filled = text.replaceAll(commitPlace, 'c')
  if (!URL.canParse(filled)) return 'Enter an address that begins with https://'
  const { protocol, username, password, host } = new URL(filled)
  if (protocol !== 'https:' && protocol !== 'http:')
    return 'Enter an address that begins with https://'
  if (username !== '' || password !== '') return 'Enter the token in its own field'
  // Another commit must not lead to another server.
  return new URL(text.replaceAll(commitPlace, 'd')).host === host
    ? undefined
    : `${commitPlace} must not be part of the host`
}

/** What is wrong with the folder of a repository; undefined: nothing. */
export function gitFolderProblem(text: string): string | undefined {
  const isPlain = /^[\w.-]+(?:\/[\w.-]+)*$/.test(text) && !text.split('/').includes('..')
  return isPlain ? undefined : 'Enter a folder such as supabase, without a slash at its ends'
}

const checked = (maxLength: number, problemOf: (text: string) => string | undefined) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .superRefine((text, context) => {
      const message = problemOf(text)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
const GitBranch = z.string().trim().min(1).max(255)
/** SHA-1 or SHA-256, in hex. */
const Commit = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'Enter the whole commit hash')

export const GitSource = z.object({
  archive_url: z.string(),
  has_token: z.boolean(),
  folder: z.string(),
  production_branch: z.string(),
  /** For whom deployments are made: whoever set it up last. */
  set_by: z.string(),
  set_at: Instant,
})
export type GitSource = z.infer<typeof GitSource>

export const gitDeploymentStatuses = ['waiting', 'running', 'done', 'failed', 'superseded'] as const
export const GitDeployment = z.object({
  id: z.string(),
  git_branch: z.string(),
  commit: z.string(),
  /** Of the project or branch that it goes to. */
  target_ref: z.string(),
  /** The name of the branch; null: the project itself. */
  target_branch: z.string().nullable(),
  status: z.enum(gitDeploymentStatuses),
  failure: z.string().nullable(),
  log: z.array(z.string()),
  at: Instant,
  finished_at: Instant.nullable(),
})
export type GitDeployment = z.infer<typeof GitDeployment>

const path = '/platform/projects/:ref/git' as const
const ByRef = z.object({ ref: ProjectRef })

/** Deployments from a git repository of any host, of the project `ref` and of its branches. */
export const git = {
  get: endpoint('git.get', `GET ${path}`, {
    needs: inProject('read:Read', 'preview_branches'),
    input: ByRef,
    returns: z.object({
      source: GitSource.nullable(),
      /** Where the git host is to send its webhook. */
      hook_url: z.string(),
    }),
  }),
  /** The first time it makes the secret of the webhook, and answers with it. */
  set: endpoint('git.set', `PUT ${path}`, {
    needs: inProject('write:Update', 'projects'),
    perMinute: 30,
    input: ByRef.extend({
      archive_url: checked(1000, archiveUrlProblem),
      /** Null takes it away; without it the one that is kept stays. */
      token: z.string().trim().min(1).max(1000).nullable().optional(),
      folder: checked(200, gitFolderProblem).default('supabase'),
      production_branch: GitBranch.default('main'),
    }),
    returns: z.object({ source: GitSource, secret: z.string().nullable() }),
  }),
  remove: endpoint('git.remove', `DELETE ${path}`, {
    needs: inProject('write:Update', 'projects'),
    input: ByRef,
    returns: z.object({}),
  }),
  /** A new secret for the webhook, which is shown once; the former one is good for nothing any more. */
  newSecret: endpoint('git.newSecret', `POST ${path}/secret`, {
    needs: inProject('write:Update', 'projects'),
    perMinute: 10,
    input: ByRef,
    returns: z.object({ secret: z.string() }),
  }),
  /** The newest first. */
  deployments: endpoint('git.deployments', `GET ${path}/deployments`, {
    needs: inProject('read:Read', 'preview_branches'),
    input: ByRef,
    returns: z.object({ deployments: z.array(GitDeployment) }),
  }),
  deploy: endpoint('git.deploy', `POST ${path}/deployments`, {
    needs: inProject('write:Update', 'projects'),
    perMinute: 20,
    status: 202,
    input: ByRef.extend({ git_branch: GitBranch, commit: Commit }),
    returns: z.object({ id: z.string() }),
  }),
  /**
   * A git host says that a branch has a new commit. It proves itself by a signature over the bytes of the body, or by the secret
   * itself. `id` is null for what leads to nothing, such as a branch that nobody names.
   */
  hook: endpoint('git.hook', 'POST /platform/git/:ref/hook', {
    needs: 'anyone',
    raw: true,
    rawBody: true,
    perMinute: 60,
    maxBytes: largestPush,
    // A push has a `ref` of its own; the one of the address counts.
    input: z.looseObject({}),
    returns: z.object({ id: z.string().nullable(), message: z.string() }),
  }),
}
