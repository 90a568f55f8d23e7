import type { Migration } from '#contract/database/migrations'
import { textOf } from '../difference.ts'
import type { OrderedBy } from '../../../ordered-by.ts'
import { digestOf, type Json, type Side } from './three-sides.ts'

/** One setting that a merge is to write, by its key; `from`: as main had it when that was ordered, null for none. */
export type PlannedSetting = { key: string; from: Json; to: Json }

/**
 * What a merge carries over and nothing else: it was compared, and maybe approved, as it stood then. What the branch gets afterwards is for
 * the next merge.
 */
export type MergePlan = {
  /** Digests of their statements, by version. */
  migrations: Record<string, string>
  /** Digests by slug. */
  functions: Record<string, string>
  settings: PlannedSetting[]
}
/** What stands in the row of a branch for its last job. */
export type Ordered = {
  by: OrderedBy
  plan?: MergePlan
  /** Keys of settings that an update takes as main has them. */
  take?: string[]
}

export const digestOfMigration = (migration: Migration): string => digestOf(textOf(migration))

/** Whatever a merge would carry over: two of the same digest do the same. */
export const digestOfPlan = ({ migrations, functions, settings }: MergePlan): string =>
  digestOf({
    migrations,
    functions,
    settings: Object.fromEntries(settings.map(({ key, to }) => [key, to])),
  })

/** Of what a merge would carry over and of the migrations that it would find on main. */
export const digestOfTrial = (plan: MergePlan, main: readonly Migration[]): string =>
  digestOf({
    plan: digestOfPlan(plan),
    main: Object.fromEntries(main.map((one) => [one.version, digestOfMigration(one)])),
  })

export const planOf = (parts: {
  migrations: readonly Migration[]
  functions: Side<string>
  settings: PlannedSetting[]
}): MergePlan => ({
  migrations: Object.fromEntries(
    parts.migrations.map((one) => [one.version, digestOfMigration(one)]),
  ),
  functions: { ...parts.functions },
  settings: parts.settings,
})
