import type { PlatformBase } from '../../platform.ts'
import { claimRoutes } from './claims.ts'
import { createLocalAdmin } from './local-admin.ts'
import { localAdminStore } from './store.ts'

type Needs = Pick<Parameters<typeof claimRoutes>[0], 'makeOwner' | 'beFirstOperator'>

/** Whoever may enter the platform's folder, and what they have made. */
export function localAdminFeature({ db, record, url, mode }: PlatformBase, needs: Needs) {
  const store = localAdminStore(db)
  return {
    routes: claimRoutes({ store, record, url, ...needs }),
    localAdmin: createLocalAdmin(store, mode ?? 'platform'),
  }
}
