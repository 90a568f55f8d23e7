import type { Parsed } from '#contract/endpoint'
import {
  pauseAfterHours,
  type branches as api,
  type BranchSettings,
} from '#contract/projects/branches'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import type { MasksStore } from './masks-store.ts'
import type { BranchStore, Parent } from './store.ts'

type Deps = {
  store: BranchStore
  masks: MasksStore
  record: RecordChange
  parentOf: (ref: string) => Promise<Parent>
}
const chosenByNobody: BranchSettings = {
  pause_after_hours: pauseAfterHours,
  masks: [],
  merge_approvals: 0,
}

/** What a project chooses for its branches: when they are paused, and which values they do not get. */
export function createBranchSettings({ store, masks, record, parentOf }: Deps) {
  const of = async ({ id }: Pick<Parent, 'id'>): Promise<BranchSettings> =>
    (await store.settings(id)) ?? chosenByNobody

  return {
    of,
    get: async (ref: string): Promise<BranchSettings> => of(await parentOf(ref)),

    async set(
      caller: Caller,
      { ref, ...asked }: Parsed<typeof api.setSettings>,
      origin: Origin,
    ): Promise<BranchSettings> {
      const parent = await parentOf(ref)
      const before = await of(parent)
      const { merge_approvals = before.merge_approvals } = asked
      const after = { ...asked, merge_approvals }
      if (after.masks.length > 0 && parent.status !== 'ACTIVE_HEALTHY')
        throw new ApiError('project_busy', 'The project has to be running to check its columns')
      const problems = await masks.problems(parent.ref, after.masks)
      if (problems.length > 0) throw new ApiError('invalid_input', problems.slice(0, 5).join('. '))
      await store.transaction(async (tx) => {
        await lockProject(tx, parent.ref)
        await store.setSettings(tx, parent.id, after)
        await record(tx, {
          organizationId: parent.organization_id,
          actor: caller,
          action: 'branches.setSettings',
          target: `project:${parent.ref}`,
          change: { before: named(before), after: named(after) },
          origin,
        })
      })
      return after
    },
  }
}
export type SettingsOfBranches = ReturnType<typeof createBranchSettings>

const named = ({ pause_after_hours, masks, merge_approvals }: BranchSettings) => ({
  pause_after_hours,
  merge_approvals,
  masks: masks.map(({ schema, table, column, kind }) => `${schema}.${table}.${column}: ${kind}`),
})
