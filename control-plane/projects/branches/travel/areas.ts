import type { AuthSettings } from '#contract/auth/auth-config-keys'
import type { DataApiSettings } from '#contract/data-api/data-api'
import {
  travellingAuthKeys,
  travellingDataApiKeys,
  travellingRealtimeKeys,
  travellingStorageKeys,
  travelAreas,
  type SettingName,
  type TravelArea,
} from '#contract/projects/branch-travel'
import type { RealtimeConfig } from '#contract/realtime/realtime-config'
import type { StorageConfig } from '#contract/storage/storage-settings'
import type { Caller, Origin } from '#kit/http'
import { callerOf, type OrderedBy } from '../../../ordered-by.ts'
import type { BucketsStore } from './buckets-store.ts'
import type { Json, Side } from './three-sides.ts'

type Update<Changes> = (
  caller: Caller,
  ref: string,
  changes: Changes,
  origin: Origin,
) => Promise<unknown>
type Partly<T> = { [K in keyof T]?: T[K] | undefined }

/** What the features that own the settings give: how they are now, and the one way to change them, with its audit entry. */
export type SettingsOwners = {
  auth: { get: (ref: string) => Promise<AuthSettings>; update: Update<Partly<AuthSettings>> }
  dataApi: {
    get: (ref: string) => Promise<DataApiSettings>
    update: Update<Partly<DataApiSettings>>
  }
  realtime: {
    get: (ref: string) => Promise<RealtimeConfig>
    update: Update<Partly<RealtimeConfig>>
  }
  storage: {
    get: (ref: string) => Promise<StorageConfig>
    update: (
      caller: Caller,
      change: { ref: string } & Partly<Pick<StorageConfig, 'fileSizeLimit'>> & {
          features: {
            imageTransformation?: { enabled: boolean }
            s3Protocol?: { enabled: boolean }
          }
        },
      origin: Origin,
    ) => Promise<unknown>
  }
}
type Deps = SettingsOwners & {
  buckets: BucketsStore
  recordBuckets: (by: OrderedBy, ref: string, buckets: Side) => Promise<void>
}
type Area = {
  read: (ref: string) => Promise<Side>
  write: (by: OrderedBy, ref: string, values: Side) => Promise<void>
}
export type Travel = ReturnType<typeof createTravel>

const only = <K extends string>(keys: readonly K[], settings: { [Key in K]: Json }): Side =>
  Object.fromEntries(keys.map((key) => [key, settings[key]]))

/** In one record the settings of all areas: by area and name, with a dot between them. */
export const keyOf = ({ area, name }: SettingName): string => `${area}.${name}`
export function nameOf(key: string): SettingName {
  const dot = key.indexOf('.')
  const area = travelAreas.find((one) => one === key.slice(0, dot))
  if (!area) throw new Error(`${key} is no setting that goes with a branch`)
  return { area, name: key.slice(dot + 1) }
}

/** Reads what goes with a branch, and writes it elsewhere; what is written has been read from another project of the same parent. */
export function createTravel(deps: Deps) {
  const { auth, dataApi, realtime, storage, buckets } = deps
  // What is written back into a feature has come out of the same feature, by the same keys.
  const areas: Record<TravelArea, Area> = {
    auth: {
      read: async (ref) => only(travellingAuthKeys, await auth.get(ref)),
      write: async (by, ref, values) => {
        await auth.update(callerOf(by), ref, values as Partly<AuthSettings>, by.origin)
      },
    },
    data_api: {
      read: async (ref) => only(travellingDataApiKeys, await dataApi.get(ref)),
      write: async (by, ref, values) => {
        await dataApi.update(callerOf(by), ref, values as Partly<DataApiSettings>, by.origin)
      },
    },
    realtime: {
      read: async (ref) => only(travellingRealtimeKeys, await realtime.get(ref)),
      write: async (by, ref, values) => {
        await realtime.update(callerOf(by), ref, values as Partly<RealtimeConfig>, by.origin)
      },
    },
    storage: {
      async read(ref) {
        const { fileSizeLimit, features } = await storage.get(ref)
        const { imageTransformation, s3Protocol } = features
        return only(travellingStorageKeys, {
          fileSizeLimit,
          imageTransformation: imageTransformation.enabled,
          s3Protocol: s3Protocol.enabled,
        })
      },
      async write(by, ref, { fileSizeLimit, imageTransformation, s3Protocol }) {
        const change = {
          ref,
          ...(typeof fileSizeLimit === 'number' && { fileSizeLimit }),
          features: {
            ...(typeof imageTransformation === 'boolean' && {
              imageTransformation: { enabled: imageTransformation },
            }),
            ...(typeof s3Protocol === 'boolean' && { s3Protocol: { enabled: s3Protocol } }),
          },
        }
        await storage.update(callerOf(by), change, by.origin)
      },
    },
    buckets: {
      read: buckets.read,
      async write(by, ref, values) {
        await buckets.write(ref, values)
        await deps.recordBuckets(by, ref, values)
      },
    },
  }

  return {
    /** Everything that goes with a branch, of one project. */
    async read(ref: string): Promise<Side> {
      const all = await Promise.all(
        travelAreas.map(async (area) =>
          Object.entries(await areas[area].read(ref)).map(
            ([name, value]) => [keyOf({ area, name }), value] as const,
          ),
        ),
      )
      return Object.fromEntries(all.flat())
    },
    readArea: (area: TravelArea, ref: string): Promise<Side> => areas[area].read(ref),
    writeArea: (area: TravelArea, by: OrderedBy, ref: string, values: Side): Promise<void> =>
      areas[area].write(by, ref, values),
  }
}
