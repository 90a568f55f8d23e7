import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db, Tx } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import { projectEndpoint } from './projects/projects/shape.ts'
import { storageKeyRoutes } from './storage/storage-keys/routes.ts'
import { createStorageKeys } from './storage/storage-keys/storage-keys.ts'
import { storageKeyStore } from './storage/storage-keys/store.ts'
import { storageSettingsRoutes } from './storage/storage-settings/routes.ts'
import { createStorageSettings } from './storage/storage-settings/storage-settings.ts'
import { storageSettingsStore } from './storage/storage-settings/store.ts'

type Parts = {
  db: Db
  record: RecordChange
  tell: (tx: Tx, ref: string) => Promise<void>
  options: Pick<ControlPlaneOptions, 'secrets' | 'projectUrl' | 'largestUpload'>
}

/** How the storage services of projects work, and what programs sign in to them with. */
export function assembleStorageAccess({ db, record, tell, options }: Parts) {
  const { secrets, projectUrl, largestUpload = Infinity } = options
  const keys = createStorageKeys({ store: storageKeyStore(db), secrets, record, tell })
  const settings = createStorageSettings({
    store: storageSettingsStore(db),
    record,
    tell,
    largestUpload,
    endpointOf: (ref) => projectEndpoint(ref, projectUrl),
  })
  return {
    get: settings.get,
    forService: { storageKeys: keys.forService, storage: settings.forService },
    routes: [...storageKeyRoutes(keys), ...storageSettingsRoutes(settings)],
  }
}
