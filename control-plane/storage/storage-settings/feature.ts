import type { Platform } from '../../platform.ts'
import { createStorageSettings, type StorageSettings } from './storage-settings.ts'
import { storageSettingsStore } from './store.ts'
import type { Parsed } from '#contract/endpoint'
import { storageSettings as api, v1StorageConfig } from '#contract/storage/storage-settings'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'

/** How the storage services of projects work. */
export function storageSettingsFeature(platform: Platform) {
  const { db, audited, projectUrl, largestUpload = Infinity } = platform
  const settings = createStorageSettings({
    store: storageSettingsStore(db),
    audited,
    largestUpload,
    projectUrl,
  })
  const { get, update, forService } = settings
  return { routes: storageSettingsRoutes(settings), get, update, forService }
}

const storageSettingsRoutes = (settings: StorageSettings) => [
  implement(api.get, ({ ref }) => settings.get(ref)),
  implement(api.update, (input, caller, origin) => settings.update(caller, input, origin)),
  implement(api.v1Get, async ({ ref }) => v1StorageConfig(await settings.get(ref))),
  implement(api.v1Update, async (input, caller, origin) => {
    const change = ofWhatIsHere(input)
    const now = change ? await settings.update(caller, change, origin) : settings.get(input.ref)
    return { ...v1StorageConfig(await now), tracking_id: origin.requestId }
  }),
]

/** The change without what there is not here; undefined where that is all, and it is off as asked. @throws ApiError where it is to be on */
function ofWhatIsHere(input: Parsed<typeof api.v1Update>): Parsed<typeof api.update> | undefined {
  const { features, ...change } = input
  if (!features) return change
  const { icebergCatalog, vectorBuckets, ...own } = features
  if (vectorBuckets?.enabled) throw notHere('vector buckets', 'storage.vector')
  if (icebergCatalog?.enabled) throw notHere('analytics buckets', 'storage.analytics')
  const isAll =
    (icebergCatalog ?? vectorBuckets) !== undefined &&
    Object.keys(own).length === 0 &&
    change.fileSizeLimit === undefined
  return isAll ? undefined : { ...change, features: own }
}

const notHere = (what: string, table: string) =>
  new ApiError(
    'not_on_this_installation',
    `This installation has no ${what}. In config.toml, set enabled = false in [${table}] and push again.`,
  )
