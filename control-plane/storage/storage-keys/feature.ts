import type { Platform } from '../../platform.ts'
import { createStorageKeys, type StorageKeys } from './storage-keys.ts'
import { storageKeyStore } from './store.ts'
import { storageKeys as api } from '#contract/storage/storage-keys'
import { implement } from '#kit/http'

/** What programs sign in to the storage of a project with. */
export function storageKeysFeature({ db, audited, secrets }: Platform) {
  const store = storageKeyStore(db)
  const keys = createStorageKeys({ store, secrets, audited })
  return { routes: storageKeyRoutes(keys), forService: keys.forService }
}

const storageKeyRoutes = (keys: StorageKeys) => [
  implement(api.list, ({ ref }) => keys.list(ref)),
  implement(api.create, ({ ref, description }, caller, origin) =>
    keys.create(description, { caller, ref, origin }),
  ),
  implement(api.remove, ({ ref, id }, caller, origin) => keys.remove(id, { caller, ref, origin })),
]
