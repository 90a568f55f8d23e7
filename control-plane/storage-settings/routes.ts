import { storageSettings as api } from '#contract/storage-settings'
import { implement } from '#kit/http'
import type { StorageSettings } from './storage-settings.ts'

export const storageSettingsRoutes = (settings: StorageSettings) => [
  implement(api.get, ({ ref }) => settings.get(ref)),
  implement(api.update, (input, caller, origin) => settings.update(caller, input, origin)),
  implement(api.v1Get, ({ ref }) => settings.get(ref)),
  implement(api.v1Update, async (input, caller, origin) => ({
    ...(await settings.update(caller, input, origin)),
    tracking_id: origin.requestId,
  })),
]
