import { v1AuthConfig as auth } from '#contract/auth/auth-config'
import type { AuthSettings } from '#contract/auth/auth-config-keys'
import { v1DataApi, type DataApiSettings } from '#contract/data-api/data-api'
import type { Project } from '#contract/projects/projects'
import {
  realtime,
  type RealtimeConfig,
  type RealtimeLimits,
} from '#contract/realtime/realtime-config'
import { storageSettings, type StorageConfig } from '#contract/storage/storage-settings'
import { v1 as api } from '#contract/v1/v1'
import type { Output } from '#contract/endpoint'
import type { NetworkRestrictions } from '#contract/v1/v1-network'
import { implement, type Caller } from '#kit/http'
import { v1AuthConfig } from './auth-config.ts'

type PostgresParameters = Output<typeof api.postgresConfig>

/** How the settings of each service are read. */
export type ConfigParts = {
  project: (ref: string) => Promise<Project>
  parameters: (ref: string) => Promise<PostgresParameters>
  sslEnforced: (ref: string) => Promise<boolean>
  networks: (ref: string) => Promise<NetworkRestrictions>
  auth: (ref: string) => Promise<AuthSettings>
  dataApi: (caller: Caller, ref: string) => Promise<DataApiSettings>
  realtime: (ref: string) => Promise<RealtimeConfig & { limits: RealtimeLimits }>
  storage: (ref: string) => Promise<StorageConfig>
}

/** Each part has readers of its own; who reads all of it has to be one of each. */
const parts = [auth.authConfig, v1DataApi.dataApi, realtime.config, storageSettings.v1Get]

/** All settings of a project at once. */
export const v1ConfigRoutes = (read: ConfigParts) => [
  implement(api.config, async ({ ref }, caller) => {
    for (const { needs } of parts)
      if (typeof needs !== 'string') await caller.authorize(needs, { ref })
    const { dbVersion } = await read.project(ref)
    const { config, ...restrictions } = await read.networks(ref)
    const { db_schema, db_extra_search_path, max_rows, db_pool } = await read.dataApi(caller, ref)
    const { limits: _, ...service } = await read.realtime(ref)
    const { fileSizeLimit, features } = await read.storage(ref)
    const cidrs = (of: string[] = [], type: 'v4' | 'v6') => of.map((address) => ({ address, type }))
    return {
      data: {
        type: 'project_config' as const,
        id: ref,
        attributes: {
          database: {
            major_version: Number(dbVersion.split('.')[0]),
            ssl_enforced: await read.sslEnforced(ref),
            network_restrictions: {
              ...restrictions,
              allowed_cidrs: [
                ...cidrs(config.dbAllowedCidrs, 'v4'),
                ...cidrs(config.dbAllowedCidrsV6, 'v6'),
              ],
            },
            postgres_settings: await read.parameters(ref),
          },
          auth: v1AuthConfig(await read.auth(ref)),
          api: { db_schema, db_extra_search_path, max_rows, db_pool },
          realtime: { ...service, presence_enabled: true as const, postgres_changes_pool: null },
          storage: {
            file_size_limit: fileSizeLimit,
            // Of what this service does not have nothing is told, so that no program switches it on.
            features: {
              image_transformation: features.imageTransformation,
              s3_protocol: features.s3Protocol,
            },
            capabilities: { list_v2: true, iceberg_catalog: false, object_versioning: false },
          },
        },
      },
    }
  }),
]
