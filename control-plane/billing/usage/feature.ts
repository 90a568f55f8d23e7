import { internal } from '#contract/internal-api'
import { implementOpen } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { createRollUp } from './roll-up.ts'
import { usageStore } from './store.ts'

/** What projects use: taken from the services, rolled up, and told to their organization. */
export function usageFeature({ db, now, log }: Platform) {
  const store = usageStore(db)
  const rollUp = createRollUp(db, now)
  return {
    rollUp,
    routes: [
      implementOpen(internal.usage, async (report) => {
        const { refused } = await store.add(report, now())
        if (refused > 0) log.warn({ refused }, 'Usage came too late, or from a clock that is ahead')
        return { kept: report.buckets.length + report.sightings.length - refused, refused }
      }),
    ],
    rounds: [
      { seconds: 60, name: 'usage by the hour', run: () => rollUp.run() },
      { seconds: 600, name: 'sizes of projects', run: () => rollUp.noteSizes() },
      { seconds: 3600, name: 'usage that is old', run: () => rollUp.prune() },
    ],
  }
}
