import { createHash, randomBytes } from 'node:crypto'
import type { Output, Parsed } from '#contract/endpoint'
import type { git as api, GitSource } from '#contract/projects/git'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { Secrets } from '#kit/secrets'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import { deployJob } from './deploying.ts'
import { isSigned, pushesIn, type Push } from './push.ts'
import { secretIdentity, tokenIdentity } from './source.ts'
import type { GitStore, SourceRow } from './store.ts'

type Deps = {
  store: GitStore
  secrets: Secrets
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  /** How git hosts reach this platform. */
  url: string
}
type Project = NonNullable<Awaited<ReturnType<GitStore['project']>>>
type Headers = Parameters<typeof isSigned>[1]
export type Git = ReturnType<typeof createGit>

const newSecretText = () => randomBytes(24).toString('hex')

const shown = (row: SourceRow): GitSource => ({
  archive_url: row.archive_url,
  has_token: row.sealed_token !== null,
  folder: row.folder,
  production_branch: row.production_branch,
  set_by: row.set_by_email,
  set_at: row.set_at.toISOString(),
})

/** From which repository a project and its branches are deployed, and what git hosts say of it. */
export function createGit(deps: Deps) {
  const { store, secrets, record, url } = deps
  const hookUrl = (ref: string) => `${url}/platform/git/${ref}/hook`

  async function found(ref: string, tx?: Tx): Promise<Project> {
    const project = await store.project(ref, tx)
    if (!project) throw new ApiError('project_not_found')
    return project
  }

  /** One change with its audit entry, while nobody else changes the project. */
  const change = (
    caller: Caller,
    ref: string,
    origin: Origin,
    action: string,
    work: (tx: Tx, project: Project) => Promise<Record<string, unknown>>,
  ) =>
    store.transaction(async (tx) => {
      const project = await found(ref, tx)
      // Who may change a branch need not be allowed to change the project.
      if (project.ref !== ref)
        throw new ApiError('invalid_input', 'ref: git is set up for a project, not for a branch')
      await lockProject(tx, project.ref)
      const after = await work(tx, project)
      await record(tx, {
        organizationId: project.organization_id,
        actor: caller,
        action: `git.${action}`,
        target: `project:${project.ref}`,
        change: { name: project.name, after },
        origin,
      })
    })

  /** Undefined: nothing follows this branch of git, or it was said before. */
  async function order(
    tx: Tx,
    project: Project,
    source: SourceRow,
    { branch, commit }: Push,
    bodyDigest: string | null,
  ): Promise<{ id: string; job: Job; target: string } | undefined> {
    const target =
      branch === source.production_branch
        ? project
        : await store.branchTarget(tx, project.id, branch)
    if (!target) return undefined
    const id = await store.insert(tx, {
      project_id: project.id,
      target_id: target.id,
      git_branch: branch,
      commit,
      body_digest: bodyDigest,
    })
    if (id === undefined) return undefined
    const job = await deps.acceptJob(tx, deployJob, id)
    await store.setJob(tx, id, job.id)
    return { id, job, target: target.ref }
  }

  async function accept(
    ref: string,
    push: Push,
    bodyDigest: string | null,
    by: { caller: Caller | null; origin: Origin },
  ): Promise<string | undefined> {
    const made = await store.transaction(async (tx) => {
      const project = await found(ref, tx)
      await lockProject(tx, project.ref)
      const source = await store.source(project.id, tx)
      if (!source) throw new ApiError('git_not_set_up')
      const ordered = await order(tx, project, source, push, bodyDigest)
      if (!ordered) return undefined
      await record(tx, {
        organizationId: project.organization_id,
        actor: by.caller,
        action: 'git.deploy',
        target: `project:${project.ref}`,
        change: {
          name: project.name,
          after: { git_branch: push.branch, commit: push.commit, ref: ordered.target },
        },
        origin: by.origin,
      })
      return ordered
    })
    if (made) await deps.startJob(made.job)
    return made?.id
  }

  return {
    async get(ref: string): Promise<Output<typeof api.get>> {
      const project = await found(ref)
      const source = await store.source(project.id)
      return { source: source ? shown(source) : null, hook_url: hookUrl(project.ref) }
    },

    async set(caller: Caller, input: Parsed<typeof api.set>, origin: Origin) {
      const { ref, archive_url, token, folder, production_branch } = input
      let made: string | null = null
      await change(caller, ref, origin, 'set', async (tx, { id }) => {
        const before = await store.source(id, tx)
        if (!before) made = newSecretText()
        // Who may not see a token must not have it sent to a server of their own.
        const isElsewhere = before && new URL(before.archive_url).host !== new URL(archive_url).host
        const kept = isElsewhere ? null : (before?.sealed_token ?? null)
        await store.setSource(tx, {
          project_id: id,
          archive_url,
          folder,
          production_branch,
          sealed_token:
            token === undefined
              ? kept
              : token === null
                ? null
                : secrets.seal(token, tokenIdentity(id)),
          sealed_secret:
            before?.sealed_secret ?? secrets.seal(made ?? newSecretText(), secretIdentity(id)),
          set_by: caller.userId,
          set_by_email: caller.email,
        })
        return { archive_url, folder, production_branch }
      })
      const project = await found(ref)
      const source = await store.source(project.id)
      if (!source) throw new ApiError('git_not_set_up')
      return { source: shown(source), secret: made }
    },

    async remove(caller: Caller, ref: string, origin: Origin) {
      await change(caller, ref, origin, 'remove', async (tx, { id }) => {
        if (!(await store.removeSource(tx, id))) throw new ApiError('git_not_set_up')
        return {}
      })
      return {}
    },

    async newSecret(caller: Caller, ref: string, origin: Origin) {
      const secret = newSecretText()
      await change(caller, ref, origin, 'newSecret', async (tx, { id }) => {
        const sealed = secrets.seal(secret, secretIdentity(id))
        if (!(await store.setSecret(tx, id, sealed))) throw new ApiError('git_not_set_up')
        return {}
      })
      return { secret }
    },

    async deployments(ref: string): Promise<Output<typeof api.deployments>> {
      const rows = await store.list((await found(ref)).id)
      return {
        deployments: rows.map(({ at, finished_at, ...row }) => ({
          id: row.id,
          git_branch: row.git_branch,
          commit: row.commit,
          target_ref: row.target_ref,
          target_branch: row.target_branch,
          status: row.status,
          failure: row.failure,
          log: row.log,
          at: at.toISOString(),
          finished_at: finished_at?.toISOString() ?? null,
        })),
      }
    },

    async deploy(caller: Caller, input: Parsed<typeof api.deploy>, origin: Origin) {
      if ((await found(input.ref)).ref !== input.ref)
        throw new ApiError('invalid_input', 'ref: git is set up for a project, not for a branch')
      const push = { branch: input.git_branch, commit: input.commit }
      const id = await accept(input.ref, push, null, { caller, origin })
      if (id === undefined)
        throw new ApiError('invalid_input', `git_branch: no branch follows ${push.branch}`)
      return { id }
    },

    /** Nobody who does not know the secret learns whether there is such a project. @throws ApiError webhook_signature */
    async hook(
      ref: string,
      body: string,
      headers: Headers,
      origin: Origin,
    ): Promise<Output<typeof api.hook>> {
      const project = await store.project(ref)
      const source = project && (await store.source(project.id))
      const secret = source
        ? secrets.open(source.sealed_secret, secretIdentity(source.project_id))
        : newSecretText()
      if (!isSigned(body, headers, secret) || !project) throw new ApiError('webhook_signature')
      const pushes = pushesIn(JSON.parse(body))
      if (pushes.length === 0) return { id: null, message: 'Nothing was pushed to a branch' }
      let last: string | undefined
      for (const [at, push] of pushes.entries()) {
        const digest = createHash('sha256').update(`${at}\n${body}`).digest('hex')
        last = (await accept(project.ref, push, digest, { caller: null, origin })) ?? last
      }
      return last === undefined
        ? { id: null, message: 'No branch follows it, or it was said before' }
        : { id: last, message: 'The deployment was accepted' }
    },
  }
}
