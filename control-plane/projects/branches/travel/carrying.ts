import type { TravelArea } from '#contract/projects/branch-travel'
import { areaNames } from '#contract/projects/branch-travel'
import { ApiError } from '#kit/errors'
import { failpoint } from '#kit/failpoints'
import type { BranchFunctions } from '../branch-functions.ts'
import type { Databases } from '../databases.ts'
import { missingIn } from '../difference.ts'
import type { BranchRow, BranchStore } from '../store.ts'
import { nameOf, type Travel } from './areas.ts'
import { digestOfMigration, type Ordered } from './order.ts'
import { isSame, seenAfterMerge, seenAfterPull, toMerge, toPull } from './three-sides.ts'
import type { Json, Side, Sides } from './three-sides.ts'

type Deps = {
  store: BranchStore
  databases: Databases
  functions: BranchFunctions
  travel: Travel
}
export type Carrying = ReturnType<typeof createCarrying>

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Only `take` and the insert of a branch write it; of jobs that an earlier version ordered there is none. */
export const orderOf = (row: BranchRow): Ordered => {
  const ordered = row.ordered as Ordered | null
  const origin = { ip: '', userAgent: '', requestId: '' }
  return ordered ?? { by: { userId: row.created_by ?? '', email: row.ordered_by, origin } }
}

/** What main had of an area when the branch last took it over; what was never compared counts as taken over as it is. */
export const seenOf = (row: BranchRow, area: TravelArea, branch: Side): Side =>
  Object.hasOwn(row.base_settings, area) ? (row.base_settings[area] as Side) : branch

/** Carries from one side to the other what a job of a branch is to. Each part looks at what is there and does what is missing. */
export function createCarrying({ store, databases, functions, travel }: Deps) {
  const functionsOf = async (row: BranchRow): Promise<Sides<string>> => ({
    branch: await functions.digests(row.ref),
    main: await functions.digests(row.parent_ref),
    seen: row.base_functions,
  })
  async function areaOf(row: BranchRow, area: TravelArea): Promise<Sides> {
    const [branch, main] = await Promise.all([
      travel.readArea(area, row.ref),
      travel.readArea(area, row.parent_ref),
    ])
    return { branch, main, seen: seenOf(row, area, branch) }
  }

  /** Runs on `to` what `from` has and it has not; of a merge what was ordered. */
  async function migrations(row: BranchRow, from: string, to: string): Promise<void> {
    const { plan } = orderOf(row)
    const all = missingIn(await databases.migrations(to), await databases.migrations(from))
    const missing = plan ? all.filter(({ version }) => version in plan.migrations) : all
    for (const migration of missing) {
      const title = [migration.version, migration.name].filter(Boolean).join(' ')
      if (plan && plan.migrations[migration.version] !== digestOfMigration(migration))
        throw new Error(`Migration ${title} was changed after the merge was ordered`)
      try {
        await databases.apply(to, migration, row.ordered_by)
      } catch (error) {
        throw new Error(`Migration ${title} failed: ${reason(error)}`, { cause: error })
      }
      failpoint('branch.migration:after')
      await store.note(row.id, `Migration ${title} was run`)
    }
    if (missing.length === 0) await store.note(row.id, 'No migration was missing')
  }

  async function deploy(row: BranchRow, from: string, to: string, slugs: string[]): Promise<void> {
    for (const slug of slugs) {
      await functions.copy({ from, to, slug, by: row.ordered_by })
      failpoint('branch.function:after')
      await store.note(row.id, `Function ${slug} was deployed`)
    }
  }

  async function write(
    row: BranchRow,
    area: TravelArea,
    to: string,
    values: Side,
    what: string,
  ): Promise<void> {
    const names = Object.keys(values)
    if (names.length === 0) return
    await travel.writeArea(area, orderOf(row).by, to, values)
    failpoint('branch.settings:after')
    await store.note(row.id, `${areaNames[area]}: ${names.join(', ')} ${what}`)
  }
  const pick = (from: Side, names: readonly string[]): Side =>
    Object.fromEntries(names.map((name) => [name, from[name] ?? null]))

  return {
    functionsOf,
    migrations,

    /** What the branch has seen of main's functions afterwards, as text: main as it was before anything was copied. */
    async pullFunctions(row: BranchRow): Promise<string> {
      const before = await functionsOf(row)
      await deploy(row, row.parent_ref, row.ref, toPull(before))
      const branch = await functions.digests(row.ref)
      return JSON.stringify(seenAfterPull({ ...before, branch }))
    },

    async mergeFunctions(row: BranchRow): Promise<void> {
      const { plan } = orderOf(row)
      const sides = await functionsOf(row)
      const slugs = toMerge(sides).filter((slug) => !plan || slug in plan.functions)
      const changed = slugs.find((slug) => plan && plan.functions[slug] !== sides.branch[slug])
      if (changed !== undefined)
        throw new Error(`Function ${changed} was deployed again after the merge was ordered`)
      await deploy(row, row.ref, row.parent_ref, slugs)
    },

    /**
     * Takes over an area of main; `all`: also what the branch has changed itself. What the branch cannot have, such as a schema that no
     * migration makes, is named in its log and stays to be taken over. The answer: what the branch has seen then, as text.
     */
    async pullSettings(row: BranchRow, area: TravelArea, all: boolean): Promise<string> {
      const found = await areaOf(row, area)
      const sides = all ? { ...found, seen: found.branch } : found
      const asked = (orderOf(row).take ?? []).map(nameOf)
      const names = toPull(
        sides,
        asked.flatMap((one) => (one.area === area ? [one.name] : [])),
      )
      try {
        await write(row, area, row.ref, pick(sides.main, names), 'taken over from main')
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        const failure = `${areaNames[area]}: ${names.join(', ')} could not be taken over: ${reason(error)}`
        await store.note(row.id, failure, true)
        return JSON.stringify({ ...row.base_settings, [area]: sides.seen })
      }
      return JSON.stringify({ ...row.base_settings, [area]: seenAfterPull(sides) })
    },

    /** Writes to main what was ordered of an area; stops at what main has otherwise than it had then. */
    async mergeSettings(row: BranchRow, area: TravelArea): Promise<void> {
      const planned = (orderOf(row).plan?.settings ?? []).flatMap(({ key, ...one }) => {
        const named = nameOf(key)
        return named.area === area ? [{ name: named.name, ...one }] : []
      })
      if (planned.length === 0) return
      const main = await travel.readArea(area, row.parent_ref)
      const left = planned.filter(({ name, to }) => !isSame(main[name], to))
      const other = left.find(({ name, from }) => !isSame(main[name] ?? null, from))
      if (other)
        throw new Error(`${areaNames[area]} ${other.name} was changed on main, too. Update first`)
      const values: Side = Object.fromEntries(
        left.map(({ name, to }): [string, Json] => [name, to]),
      )
      await write(row, area, row.parent_ref, values, 'changed on main')
    },

    /** What the branch has seen of main after a merge. */
    async seenAfterMerge(row: BranchRow) {
      const settings: Record<string, Side> = {}
      for (const area of Object.keys(areaNames) as TravelArea[])
        settings[area] = seenAfterMerge(await areaOf(row, area))
      return {
        base_functions: JSON.stringify(seenAfterMerge(await functionsOf(row))),
        base_settings: JSON.stringify(settings),
      }
    },
  }
}
