import { dataPlaneApi } from '#contract/data-plane-api'
import { internal } from '#contract/internal-api'
import { usage as api } from '#contract/billing/usage'
import { implement, implementOpen } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { minuteStore } from './minutes-store.ts'
import { createRollUp } from './roll-up-store.ts'
import { finestUsage, usageSeries, usageTotals } from './series-store.ts'
import { sizeStore } from './sizes-store.ts'
import { createSizes } from './sizes.ts'
import { usageStore } from './store.ts'
import { createUsage } from './usage.ts'

type Needs = Pick<Parameters<typeof createUsage>[0], 'payerOf' | 'begin'>

/** What projects use: taken from the services, rolled up, and told to their organization. */
export function usageFeature({ db, dataPlane, each, now, log }: Platform, needs: Needs) {
  const store = usageStore(db)
  const rollUp = createRollUp(db, now)
  const sizes = createSizes({
    store: sizeStore(db),
    now,
    each,
    async storedBytes(ref) {
      const { buckets, trash } = await dataPlane.ask(dataPlaneApi.storageUsage, { params: { ref } })
      return buckets.reduce((sum, { bytes }) => sum + bytes, trash.bytes)
    },
  })
  const usage = createUsage({ db, ...needs, now })
  return {
    usage,
    rollUp,
    sizes,
    /** For who draws or exports what a project has used. */
    ofProject: { series: usageSeries(db), totals: usageTotals(db), finest: finestUsage },
    requests: minuteStore(db).requests,
    routes: [
      implement(api.get, (asked) => usage.get(asked)),
      implement(api.daily, (asked) => usage.daily(asked)),
      implementOpen(internal.usage, async (report) => {
        const { refused } = await store.add(report, now())
        if (refused > 0) log.warn({ refused }, 'Usage came too late, or from a clock that is ahead')
        return { kept: report.buckets.length + report.sightings.length - refused, refused }
      }),
    ],
    rounds: [
      { seconds: 15, name: 'usage by the hour', run: () => rollUp.run() },
      { seconds: 60, name: 'sizes of projects', run: () => sizes.round() },
      { seconds: 3600, name: 'usage that is old', run: () => rollUp.prune() },
    ],
  }
}
