import { storageKeys as api } from '#contract/storage/storage-keys'
import { implement } from '#kit/http'
import type { StorageKeys } from './storage-keys.ts'

export const storageKeyRoutes = (keys: StorageKeys) => [
  implement(api.list, ({ ref }) => keys.list(ref)),
  implement(api.create, ({ ref, description }, caller, origin) =>
    keys.create(description, { caller, ref, origin }),
  ),
  implement(api.remove, ({ ref, id }, caller, origin) => keys.remove(id, { caller, ref, origin })),
]
