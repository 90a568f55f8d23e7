import type { Platform } from '../../platform.ts'
import { createFlags, type Flags } from './flags.ts'
import { flagStore } from './store.ts'
import { flags as api } from '#contract/operations/flags'
import { implementOpen } from '#kit/http'

/** Remote flags of the dashboard. */
export async function flagsFeature({ db, record, access }: Platform) {
  const flags = await createFlags({
    store: flagStore(db),
    record,
    organizationsOf: async (userId) =>
      (await access.permissions(userId)).map((row) => row.organization_slug),
  })
  return { routes: flagRoutes(flags), of: flags.of }
}

/** The operator's side; each call carries the internal token. */
const flagRoutes = (flags: Flags) => [
  implementOpen(api.list, () => flags.list()),
  implementOpen(api.set, (flag, origin) => flags.set(flag, origin)),
  implementOpen(api.remove, ({ key }, origin) => flags.remove(key, origin)),
]
