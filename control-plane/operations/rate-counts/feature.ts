import { rateCounts as api, type RateCount } from '#contract/operations/rate-counts'
import { implementOpen } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { rateCountStore, type RateCountStore } from './store.ts'

/** Limits that hold for several programs together. */
export function rateCountsFeature({ db }: Platform) {
  const store = rateCountStore(db)
  return {
    routes: [implementOpen(api.count, async (count) => ({ wait: await countIn(store, count) }))],
    rounds: [{ seconds: 60, name: 'limits that are over', run: store.forgetExpired }],
  }
}

async function countIn(
  store: RateCountStore,
  { gives_back, ...count }: RateCount,
): Promise<number | null> {
  if (!gives_back) return store.count(count)
  await store.giveBack(count.key)
  return null
}
