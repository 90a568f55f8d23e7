import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { areaNames, travelAreas, type TravelArea } from '#contract/projects/branch-travel'
import { ApiError } from '#kit/errors'
import { failpoint } from '#kit/failpoints'
import type { OrderedBy } from '../../ordered-by.ts'
import type { Settings } from './config/config-file.ts'
import type { Repository } from './repository.ts'
import type { SeedStore } from './seed-store.ts'
import type { DeploymentRow, GitStore, SourceRow } from './store.ts'

/** The settings of a project that go with branches, too, by areas. */
export type Travel = {
  readArea: (area: TravelArea, ref: string) => Promise<Settings>
  writeArea: (area: TravelArea, by: OrderedBy, ref: string, values: Settings) => Promise<void>
}
type Deps = {
  store: Pick<GitStore, 'note'>
  travel: Travel
  seeds: SeedStore
  /** Whether they may change settings of this area. */
  mayChange: (userId: string, ref: string, area: TravelArea) => Promise<boolean>
}
type Found = { row: DeploymentRow; source: SourceRow; repository: Repository }

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** What a commit has beside migrations and functions: settings for its target, and rows for a branch. */
export function createApplying({ store, travel, seeds, mayChange }: Deps) {
  async function writeArea(
    { row, source }: Found,
    area: TravelArea,
    wanted: Settings,
  ): Promise<void> {
    const { target_ref: ref, id } = row
    const now = await travel.readArea(area, ref)
    const changed = Object.entries(wanted).filter(
      ([name, value]) => !isDeepStrictEqual(now[name], value),
    )
    if (changed.length === 0) return
    const names = changed.map(([name]) => name).join(', ')
    const { set_by: userId, set_by_email: email } = source
    if (!(await mayChange(userId, ref, area)))
      return store.note(
        id,
        `Not used: config.toml: ${email} may not change ${areaNames[area]} ${names}`,
      )
    const origin = { ip: '', userAgent: `git ${row.commit}`, requestId: id }
    const by: OrderedBy = { userId, email, origin }
    try {
      await travel.writeArea(area, by, ref, Object.fromEntries(changed))
    } catch (error) {
      // A value that cannot be, or that the plan does not have, is no reason to deploy nothing.
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      return store.note(id, `Not used: config.toml: ${areaNames[area]} ${names}: ${reason(error)}`)
    }
    failpoint('git.settings:after')
    await store.note(id, `${areaNames[area]}: ${names} set from config.toml`)
  }

  return {
    async settings(found: Found): Promise<void> {
      for (const area of travelAreas) {
        const wanted = found.repository.settings[area]
        if (wanted) await writeArea(found, area, wanted)
      }
    },

    /** A branch gets them once; after a reset it has a new database, and gets them again. */
    async seed({ row, source, repository }: Found): Promise<void> {
      const { seed: sql } = repository
      const { id, target_ref: ref } = row
      if (sql === undefined || sql.trim() === '') return
      if (row.target_branch === null)
        return store.note(id, 'Not used: seed.sql: it is run on branches only')
      if (row.target_with_data)
        return store.note(id, 'Not used: seed.sql: this branch began with the rows of main')
      if (await seeds.isSeeded(ref)) return
      const hash = createHash('sha256').update(sql).digest('hex')
      try {
        await seeds.run(ref, { sql, hash, by: source.set_by_email })
      } catch (error) {
        throw new Error(`seed.sql: ${reason(error)}`, { cause: error })
      }
      failpoint('git.seed:after')
      await store.note(id, 'seed.sql was run')
    },
  }
}
