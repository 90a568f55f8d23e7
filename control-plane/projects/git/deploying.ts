import type { Migration } from '#contract/database/migrations'
import type { ProjectStatus } from '#contract/projects/project-status'
import { failpoint } from '#kit/failpoints'
import type { Job, JobHandler } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { SafeFetch } from '#kit/network/safe-fetch'
import type { Secrets } from '#kit/secrets'
import type { By } from '../../audited.ts'
import { callerOf } from '../../ordered-by.ts'
import type { createApplying } from './applying.ts'
import { fetchArchive, filesIn } from './archive.ts'
import { readRepository, type Repository, type RepositoryFunction } from './repository.ts'
import { tokenIdentity } from './source.ts'
import type { DeploymentRow, GitStore, SourceRow } from './store.ts'

export type Databases = {
  migrations: (ref: string) => Promise<Migration[]>
  apply: (
    ref: string,
    migration: Pick<Migration, 'version' | 'name' | 'statements'>,
    by: string,
  ) => Promise<void>
}
export type DeployChanged = (
  by: By,
  slug: string,
  deployment: Omit<RepositoryFunction, 'slug'>,
) => Promise<boolean>
type Deps = {
  store: GitStore
  applying: ReturnType<typeof createApplying>
  databases: Databases
  deployChanged: DeployChanged
  /** Whether whoever set the source up may still do what is done for them. */
  mayDeploy: (userId: string, ref: string) => Promise<boolean>
  fetch: SafeFetch
  secrets: Secrets
  log: Log
  /** Milliseconds between two looks at a target that is busy. */
  lookMs?: number
}

export const deployJob = 'git.deploy'
/** As long as what else is done to a project may take. */
const longestWaitMs = 15 * 60_000
const isUp = (status: ProjectStatus) => status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY'
const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Takes the migrations, settings and functions of a commit into a project or branch, and into a branch its rows. A commit is always the same, so each step fetches it for
 * itself and does what is missing: a job that was killed goes on where it was, and a second one finds nothing to do.
 */
export function createDeploying(deps: Deps) {
  const { store, applying, databases, secrets, log, lookMs = 1000 } = deps

  async function found(id: string): Promise<{ row: DeploymentRow; source: SourceRow }> {
    const row = await store.find(id)
    const source = row && (await store.source(row.project_id))
    if (!row || !source) throw new Error('The project does not deploy from git any more')
    return { row, source }
  }

  /** Until nobody else is at work on the target. False: a newer commit goes there instead. */
  async function begin(id: string): Promise<boolean> {
    const until = performance.now() + longestWaitMs
    for (;;) {
      const { row, source } = await found(id)
      if (row.status === 'superseded') return false
      if (!(await deps.mayDeploy(source.set_by, row.target_ref)))
        throw new Error(`${source.set_by_email} may not change this project any more`)
      if (isUp(row.target_status) && (await store.begin(row))) return true
      if (performance.now() > until)
        throw new Error(
          isUp(row.target_status)
            ? 'Something else is being done to this branch'
            : `The project is ${row.target_status}`,
        )
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }

  async function repositoryOf(row: DeploymentRow, source: SourceRow): Promise<Repository> {
    const token =
      source.sealed_token === null
        ? null
        : secrets.open(source.sealed_token, tokenIdentity(source.project_id))
    const place = { archiveUrl: source.archive_url, token, commit: row.commit }
    const files = await filesIn(await fetchArchive(deps.fetch, place), source.folder)
    if (files.length === 0)
      throw new Error(`There is no folder ${source.folder} in this commit, or it is empty`)
    return readRepository(files)
  }

  async function whole(id: string) {
    const { row, source } = await found(id)
    return { row, source, repository: await repositoryOf(row, source) }
  }

  async function migrate(id: string): Promise<void> {
    const { row, source, repository } = await whole(id)
    const { migrations, unused } = repository
    const recorded = new Set(
      (await databases.migrations(row.target_ref)).map(({ version }) => version),
    )
    for (const line of unused) await store.note(id, `Not used: ${line}`)
    for (const { version, name, sql } of migrations) {
      if (recorded.has(version)) continue
      try {
        await databases.apply(
          row.target_ref,
          { version, name, statements: [sql] },
          source.set_by_email,
        )
      } catch (error) {
        throw new Error(`Migration ${version}_${name}: ${reason(error)}`, { cause: error })
      }
      failpoint('git.migration:after')
      await store.note(id, `Migration ${version}_${name} was applied`)
    }
  }

  async function deploy(id: string): Promise<void> {
    const { row, source, repository } = await whole(id)
    const { functions } = repository
    const origin = { ip: '', userAgent: `git ${row.commit}`, requestId: id }
    const { set_by: userId, set_by_email: email } = source
    const by = { caller: callerOf({ userId, email, origin }), ref: row.target_ref, origin }
    for (const { slug, ...deployment } of functions) {
      try {
        if (!(await deps.deployChanged(by, slug, deployment))) continue
      } catch (error) {
        throw new Error(`Function ${slug}: ${reason(error)}`, { cause: error })
      }
      failpoint('git.function:after')
      await store.note(id, `Function ${slug} was deployed`)
    }
  }

  const handler: JobHandler = async ({ subject: id }: Job, step) => {
    try {
      if (!(await step('begin', () => begin(id)))) return
      await step('migrations', () => migrate(id))
      await step('seed', async () => applying.seed(await whole(id)))
      await step('settings', async () => applying.settings(await whole(id)))
      await step('functions', () => deploy(id))
      await step('end', () => store.end(id, 'done', null))
    } catch (error) {
      log.warn({ err: error, deployment: id }, 'a deployment from git failed')
      await step('fail', () => store.end(id, 'failed', reason(error)))
    }
  }
  return { [deployJob]: handler }
}
