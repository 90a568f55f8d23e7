import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { planLimits } from '../limits.ts'
import { hasFeature } from '../billing/plan-comparison.ts'
import { inProject } from '../permissions.ts'
import type { PlanId } from '../billing/plans.ts'
import { ProjectRef } from '../values.ts'

/** Bytes of one object, in any bucket, of a project that has not chosen. */
export const defaultFileSizeLimit = 50 * 1024 * 1024

/** What the storage service of a project goes by. */
export const StorageServing = z.object({
  /** Bytes of one object at most, in any bucket. */
  fileSizeLimit: z.number().int().min(1),
  imageTransformation: z.boolean(),
  s3Protocol: z.boolean(),
  /** What the S3 protocol calls the place where the project is. */
  region: z.string().min(1),
  /** How long deleted objects can be restored; never for ever. */
  trashDays: z.number().int().min(1),
})
export type StorageServing = z.infer<typeof StorageServing>

/** What a plan has of the storage service. */
export const storageOfPlan = (plan: PlanId) => ({
  fileSizeLimit: planLimits[plan].maxUploadBytes,
  imageTransformation: hasFeature(plan, 'storage.transformations'),
  // What a plan keeps to look back at; its backups hold no files (docs/decisions/0025).
  trashDays: planLimits[plan].logRetentionDays,
})

const enabled = z.object({ enabled: z.boolean() })
export const StorageConfig = z.object({
  /** Bytes. */
  fileSizeLimit: z.number().int(),
  features: z.object({ imageTransformation: enabled, s3Protocol: enabled }),
  /** What can be chosen: by the plan, and by whoever runs the installation. */
  allowed: z.object({ fileSizeLimit: z.number().int(), imageTransformation: z.boolean() }),
  /** Where programs of the S3 protocol connect to. */
  s3: z.object({ endpoint: z.string(), region: z.string() }),
})
export type StorageConfig = z.infer<typeof StorageConfig>

const off = z.literal(false)
/** With what programs ask for besides: that there is none of it here. */
const V1StorageConfig = StorageConfig.extend({
  features: StorageConfig.shape.features.extend({
    purgeCache: z.object({ enabled: off }),
    icebergCatalog: z.object({
      enabled: off,
      maxNamespaces: z.literal(0),
      maxTables: z.literal(0),
      maxCatalogs: z.literal(0),
    }),
    vectorBuckets: z.object({ enabled: off, maxBuckets: z.literal(0), maxIndexes: z.literal(0) }),
  }),
  capabilities: z.object({
    list_v2: z.literal(true),
    iceberg_catalog: off,
    object_versioning: off,
  }),
  external: z.object({ upstreamTarget: z.literal('main') }),
  migrationVersion: z.null(),
})
type V1StorageConfig = z.infer<typeof V1StorageConfig>

export const v1StorageConfig = (config: StorageConfig): V1StorageConfig => ({
  ...config,
  features: {
    ...config.features,
    purgeCache: { enabled: false },
    icebergCatalog: { enabled: false, maxNamespaces: 0, maxTables: 0, maxCatalogs: 0 },
    vectorBuckets: { enabled: false, maxBuckets: 0, maxIndexes: 0 },
  },
  capabilities: { list_v2: true, iceberg_catalog: false, object_versioning: false },
  external: { upstreamTarget: 'main' },
  migrationVersion: null,
})

const ByRef = z.object({ ref: ProjectRef })
/** What is not named stays as it is. */
const Change = ByRef.extend({
  fileSizeLimit: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  features: z
    .object({ imageTransformation: enabled.optional(), s3Protocol: enabled.optional() })
    .optional(),
})
/** What there is not here, which programs say of all the same: that it is off, is so already. */
const absent = enabled.loose().optional()
const V1Change = Change.extend({
  features: Change.shape.features
    .unwrap()
    .extend({ icebergCatalog: absent, vectorBuckets: absent })
    .optional(),
})
const reads = inProject('read:Read', 'custom_config_storage')
const changes = inProject('write:Update', 'custom_config_storage')
const [platform, v1] = [
  '/platform/projects/:ref/config/storage',
  '/v1/projects/:ref/config/storage',
] as const

/** How the storage service of a project works. */
export const storageSettings = {
  get: endpoint('storageSettings.get', `GET ${platform}`, {
    needs: reads,
    input: ByRef,
    returns: StorageConfig,
  }),
  update: endpoint('storageSettings.update', `PATCH ${platform}`, {
    needs: changes,
    input: Change,
    returns: StorageConfig,
  }),
  v1Get: endpoint('storageSettings.v1Get', `GET ${v1}`, {
    needs: reads,
    input: ByRef,
    returns: V1StorageConfig,
  }),
  v1Update: endpoint('storageSettings.v1Update', `PATCH ${v1}`, {
    needs: changes,
    input: V1Change,
    /** Programs want an id of the change: that of its request. */
    returns: V1StorageConfig.extend({ tracking_id: z.string() }),
  }),
}
