import type { Lint, LintException, LintReport } from '#contract/observability/advisors'
import { advisors as api } from '#contract/observability/advisors'
import type { Parsed } from '#contract/endpoint'
import { categoryOf, lintRules, type LintCategory } from '#contract/observability/lints'
import { inProject } from '#contract/permissions'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { AdvisorStore } from './store.ts'

type Row = Awaited<ReturnType<AdvisorStore['list']>>[number]

type Deps = {
  store: AdvisorStore
  record: RecordChange
  /** What the database of a project tells about itself. */
  readLints: (ref: string) => Promise<LintReport>
  /** False in self-hosted mode, where nobody has roles. */
  hasMembers: boolean
}

const shape = (row: Row): LintException => ({
  id: row.id,
  lint_name: row.lint_name,
  cache_key: row.cache_key,
  scope: row.user_id === null ? 'project' : 'person',
  note: row.note,
  created_by: row.created_by,
  inserted_at: row.inserted_at.toISOString(),
})

const soleAdministrator = (): Lint => {
  const { title, level, description, link } = lintRules.no_backup_admin
  return {
    name: 'no_backup_admin',
    title,
    level,
    facing: 'EXTERNAL',
    categories: [categoryOf('no_backup_admin')],
    description,
    detail: 'The organization of this project has one Owner or Administrator.',
    remediation: link,
    metadata: { type: 'organization', entity: 'Organization' },
    cache_key: 'no_backup_admin',
  }
}

/** For everybody in the project it takes the right to change the database. */
const forAll = inProject('tenant:Sql:Admin:Write', 'advisors')
const mayChangeForAll = async (caller: Caller, ref: string) => {
  if (typeof forAll !== 'string') await caller.authorize(forAll, { ref })
}

/** What the advisors find in a project, and what people do not want to be told any more. */
export function createAdvisors({ store, record, readLints, hasMembers }: Deps) {
  async function lints(ref: string): Promise<LintReport> {
    const [report, administrators] = await Promise.all([
      readLints(ref),
      hasMembers ? store.administrators(ref) : undefined,
    ])
    if (administrators !== 1) return report
    return { ...report, lints: [...report.lints, soleAdministrator()] }
  }

  return {
    lints,

    of: async (ref: string, category: LintCategory): Promise<{ lints: Lint[] }> => ({
      lints: (await lints(ref)).lints.filter(({ categories }) => categories.includes(category)),
    }),

    list: async (caller: Caller, ref: string) => ({
      exceptions: (await store.list(ref, caller.userId)).map(shape),
    }),

    async add(
      caller: Caller,
      input: Parsed<typeof api.addException>,
      origin: Origin,
    ): Promise<LintException> {
      const { ref, lint_name, cache_key, scope, note } = input
      if (scope === 'project') await mayChangeForAll(caller, ref)
      return store.transaction(async (tx) => {
        const project = await store.project(tx, ref)
        if (!project) throw new ApiError('project_not_found')
        const id = await store.put(tx, {
          projectId: project.id,
          lintName: lint_name,
          cacheKey: cache_key ?? null,
          userId: scope === 'person' ? caller.userId : null,
          note,
          createdBy: caller.userId,
        })
        const made = await store.find(ref, caller.userId, id, tx)
        if (!made) throw new Error('An exception that was just made is missing')
        if (scope === 'project')
          await record(tx, {
            organizationId: project.organization_id,
            actor: caller,
            action: api.addException.name,
            target: `project:${ref}`,
            change: { after: { lint_name, cache_key: cache_key ?? null, note } },
            origin,
          })
        return shape(made)
      })
    },

    async remove(
      caller: Caller,
      { ref, id }: Parsed<typeof api.removeException>,
      origin: Origin,
    ): Promise<LintException> {
      const seen = await store.find(ref, caller.userId, id)
      if (seen?.user_id === null) await mayChangeForAll(caller, ref)
      return store.transaction(async (tx) => {
        const project = await store.project(tx, ref)
        const row = project && (await store.find(ref, caller.userId, id, tx))
        if (!row) throw new ApiError('not_found')
        // For whom it holds never changes, so that this is what was permitted above.
        if (row.user_id === null) {
          const { lint_name, cache_key, note } = row
          await record(tx, {
            organizationId: project.organization_id,
            actor: caller,
            action: api.removeException.name,
            target: `project:${ref}`,
            change: { before: { lint_name, cache_key, note } },
            origin,
          })
        }
        await store.remove(tx, id)
        return shape(row)
      })
    },
  }
}
export type Advisors = ReturnType<typeof createAdvisors>
