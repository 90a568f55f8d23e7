import type { Platform } from '../../platform.ts'
import { createFlags } from './flags.ts'
import { flagRoutes } from './routes.ts'
import { flagStore } from './store.ts'

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
