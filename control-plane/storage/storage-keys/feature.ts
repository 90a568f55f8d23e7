import type { Platform } from '../../platform.ts'
import { storageKeyRoutes } from './routes.ts'
import { createStorageKeys } from './storage-keys.ts'
import { storageKeyStore } from './store.ts'

/** What programs sign in to the storage of a project with. */
export function storageKeysFeature({ db, record, secrets, projects }: Platform) {
  const store = storageKeyStore(db)
  const keys = createStorageKeys({ store, secrets, record, tell: projects.tell })
  return { routes: storageKeyRoutes(keys), forService: keys.forService }
}
