import type { Output } from '#contract/endpoint'
import {
  settingName,
  travelAreas,
  travelNeeds,
  type SettingName,
  type TravelArea,
} from '#contract/projects/branch-travel'
import type { Branch, BranchDifference, branches as api } from '#contract/projects/branches'
import type { Migration } from '#contract/database/migrations'
import type { Need } from '#contract/permissions'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { BranchFunctions } from './branch-functions.ts'
import type { Databases } from './databases.ts'
import { differenceOf, missingIn } from './difference.ts'
import { orderedBy, type Found, type Order } from './ordering.ts'
import type { createCheckApprovals } from './requests/approvals.ts'
import type { BranchRow } from './store.ts'
import { keyOf, nameOf, type Travel } from './travel/areas.ts'
import { orderOf, seenOf } from './travel/carrying.ts'
import { digestOfPlan, digestOfTrial, planOf, type MergePlan } from './travel/order.ts'
import { conflictsIn, toMerge, toPull, type Side, type Sides } from './travel/three-sides.ts'

type Deps = {
  databases: Databases
  functions: BranchFunctions
  travel: Travel
  find: (ref: string, id: string) => Promise<Found>
  order: Order
  checkApprovals: ReturnType<typeof createCheckApprovals>
}
type Compared = {
  difference: Omit<BranchDifference, 'unrecorded'>
  plan: MergePlan
  /** The migrations of main, the oldest first. */
  ofMain: Migration[]
}
/** What a merge would run at this moment, and the state of both sides that it is of. */
export type ToTry = {
  digest: string
  migrations: BranchDifference['migrations']
  ofMain: Migration[]
}

/** Both databases have to answer for what is asked of both. */
function checkServed(row: BranchRow): void {
  if (row.parent_status !== 'ACTIVE_HEALTHY')
    throw new ApiError('project_busy', 'The project of this branch is not running')
  if (row.project_status !== 'ACTIVE_HEALTHY')
    throw new ApiError('project_busy', 'The branch is not running')
}

function checkClashes({ clashes }: { clashes: readonly string[] }): void {
  if (clashes.length > 0)
    throw new ApiError(
      'branch_clash',
      `Main has other migrations under these versions: ${clashes.join(', ')}. Give one of each another version`,
    )
}

const settingsIn = ({ branch, main, seen }: Sides) => {
  const sides = { branch, main, seen }
  const conflicts = conflictsIn(sides)
  const difference = (from: Side, to: Side) => (key: string) => ({
    ...nameOf(key),
    from: from[key] ?? null,
    to: to[key] ?? null,
  })
  return {
    settings: toMerge(sides).map(difference(main, branch)),
    missing_settings: toPull(sides).map(difference(branch, main)),
    setting_conflicts: conflicts.map((key) => ({
      ...nameOf(key),
      branch: branch[key] ?? null,
      main: main[key] ?? null,
    })),
  }
}

/** The rules by which a branch is compared with main, updated from it and merged into it. */
export function createMerging(deps: Deps) {
  const { databases, functions, travel, find, order } = deps

  async function settingsOf(row: BranchRow): Promise<Sides> {
    const [branch, main] = await Promise.all([travel.read(row.ref), travel.read(row.parent_ref)])
    const seen = travelAreas.flatMap((area) => {
      const own = Object.entries(branch).filter(([key]) => nameOf(key).area === area)
      const ofArea = Object.fromEntries(own.map(([key, value]) => [nameOf(key).name, value]))
      return Object.entries(seenOf(row, area, ofArea)).map(
        ([name, value]) => [keyOf({ area, name }), value] as const,
      )
    })
    return { branch, main, seen: Object.fromEntries(seen) }
  }

  async function compare(row: BranchRow): Promise<Compared> {
    const [branch, main, here, there, settings] = await Promise.all([
      databases.migrations(row.ref),
      databases.migrations(row.parent_ref),
      functions.digests(row.ref),
      functions.digests(row.parent_ref),
      settingsOf(row),
    ])
    const sides = { branch: here, main: there, seen: row.base_functions }
    const found = settingsIn(settings)
    const plan = planOf({
      migrations: missingIn(main, branch),
      functions: Object.fromEntries(toMerge(sides).map((slug) => [slug, here[slug] ?? ''])),
      settings: found.settings.map(({ from, to, ...name }) => ({ key: keyOf(name), from, to })),
    })
    const difference = {
      ...differenceOf({ branch, main }, sides),
      ...found,
      digest: digestOfPlan(plan),
      dry_run_digest: digestOfTrial(plan, main),
    }
    return { difference, plan, ofMain: missingIn([], main) }
  }

  /** A program may be let into branches and not into the settings of a service: it gets the names alone. */
  async function visible<T extends Compared['difference']>(
    caller: Caller,
    ref: string,
    difference: T,
  ): Promise<T> {
    const allowed = new Set<TravelArea>()
    for (const area of travelAreas)
      if (await may(caller, ref, travelNeeds[area].reads)) allowed.add(area)
    const shown = <S extends SettingName>(one: S, hidden: Partial<S>): S =>
      allowed.has(one.area) ? one : { ...one, ...hidden }
    return {
      ...difference,
      settings: difference.settings.map((one) => shown(one, { from: null, to: null })),
      missing_settings: difference.missing_settings.map((one) =>
        shown(one, { from: null, to: null }),
      ),
      setting_conflicts: difference.setting_conflicts.map((one) =>
        shown(one, { branch: null, main: null }),
      ),
    }
  }

  return {
    /** Of what a merge would carry over now. */
    async digestOf({ row }: Found): Promise<string> {
      checkServed(row)
      return (await compare(row)).difference.digest
    },

    /** @throws ApiError where a merge would be refused for what main has */
    async toTry({ row }: Found): Promise<ToTry> {
      checkServed(row)
      const { difference, ofMain } = await compare(row)
      checkClashes(difference)
      if (difference.missing.length > 0) throw new ApiError('branch_behind')
      const { dry_run_digest: digest, migrations } = difference
      return { digest, migrations, ofMain }
    },

    async difference(
      caller: Caller,
      ref: string,
      id: string,
    ): Promise<Output<typeof api.difference>> {
      const { row } = await find(ref, id)
      checkServed(row)
      const [{ difference }, unrecorded] = await Promise.all([
        compare(row),
        databases.unrecorded(row.ref),
      ])
      return { ...(await visible(caller, row.parent_ref, difference)), unrecorded }
    },

    async pull(
      caller: Caller,
      ref: string,
      id: string,
      origin: Origin,
      take: readonly SettingName[] = [],
    ): Promise<Branch> {
      const found = await find(ref, id)
      checkServed(found.row)
      const { difference } = await compare(found.row)
      checkClashes(difference)
      const asked = take.map(keyOf)
      const known = new Set(difference.setting_conflicts.map(keyOf))
      const unknown = take.find((one) => !known.has(keyOf(one)))
      if (unknown)
        throw new ApiError('invalid_input', `${settingName(unknown)} was not changed on both sides`)
      return order(caller, found, 'branch.pull', { by: orderedBy(caller, origin), take: asked })
    },

    async merge(caller: Caller, ref: string, id: string, origin: Origin): Promise<Branch> {
      const found = await find(ref, id)
      checkServed(found.row)
      const { difference, plan } = await compare(found.row)
      checkClashes(difference)
      const { missing, conflicts, setting_conflicts: both } = difference
      if (missing.length > 0) throw new ApiError('branch_behind')
      if (conflicts.length > 0)
        throw new ApiError(
          'branch_behind',
          `Changed on main as well: ${conflicts.join(', ')}. Update the branch first`,
        )
      if (both.length > 0)
        throw new ApiError(
          'branch_conflict',
          `Changed on main as well: ${both.map(settingName).join(', ')}. Update the branch and choose a side first`,
        )
      await checkRights(caller, found.row.parent_ref, difference.settings)
      const { parent, row } = found
      const last = orderOf(row).plan
      await deps.checkApprovals({ parent, branchId: row.id, plan, last })
      return order(caller, found, 'branch.merge', { by: orderedBy(caller, origin), plan })
    },
  }
}

async function may(caller: Caller, ref: string, need: Need): Promise<boolean> {
  if (typeof need !== 'object') return true
  try {
    await caller.authorize(need, { ref })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false
    throw error
  }
}

/** Whoever merges changes main, and needs for each area what changing it there needs. */
async function checkRights(
  caller: Caller,
  ref: string,
  settings: readonly SettingName[],
): Promise<void> {
  for (const area of new Set(settings.map((one) => one.area)))
    if (!(await may(caller, ref, travelNeeds[area].changes)))
      throw new ApiError(
        'not_allowed',
        `Your role does not allow changing these settings of main: ${settings
          .filter((one) => one.area === area)
          .map(settingName)
          .join(', ')}`,
      )
}
