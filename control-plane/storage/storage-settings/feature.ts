import type { Platform } from '../../platform.ts'
import { storageSettingsRoutes } from './routes.ts'
import { createStorageSettings } from './storage-settings.ts'
import { storageSettingsStore } from './store.ts'

type Needs = Pick<Parameters<typeof createStorageSettings>[0], 'endpointOf'>

/** How the storage services of projects work. */
export function storageSettingsFeature(platform: Platform, { endpointOf }: Needs) {
  const { db, record, projects, largestUpload = Infinity } = platform
  const settings = createStorageSettings({
    store: storageSettingsStore(db),
    record,
    tell: projects.tell,
    largestUpload,
    endpointOf,
  })
  const { get, forService } = settings
  return { routes: storageSettingsRoutes(settings), get, forService }
}
