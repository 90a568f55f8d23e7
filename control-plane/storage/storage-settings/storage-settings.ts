import type { Parsed } from '#contract/endpoint'
import { publicUrl } from '#contract/projects/project-address'
import { planNames, planOfTier } from '#contract/billing/plans'
import {
  defaultFileSizeLimit,
  storageOfPlan,
  type StorageConfig,
  type StorageServing,
  type storageSettings as api,
} from '#contract/storage/storage-settings'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Audited } from '../../audited.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { ChosenStorage, StorageSettingsStore, StoredProject } from './store.ts'

type Deps = {
  store: StorageSettingsStore
  audited: Audited
  /** Bytes of one object that the installation takes, whatever a plan allows. */
  largestUpload: number
  /** Template of project addresses with `{ref}`. */
  projectUrl: string
}

/** How the storage services of projects work, within what their plans have. */
export function createStorageSettings({ store, audited, largestUpload, projectUrl }: Deps) {
  function allowedTo({ tier }: StoredProject) {
    const plan = storageOfPlan(planOfTier[tier])
    return { ...plan, fileSizeLimit: Math.min(plan.fileSizeLimit, largestUpload) }
  }

  /** What is chosen stays chosen when a plan ends; only what the plan has is served. */
  function serving(project: StoredProject): StorageServing {
    const allowed = allowedTo(project)
    return {
      fileSizeLimit: Math.min(
        project.file_size_limit ?? defaultFileSizeLimit,
        allowed.fileSizeLimit,
      ),
      imageTransformation: allowed.imageTransformation && (project.image_transformation ?? true),
      s3Protocol: project.s3_protocol ?? true,
      region: project.region,
      trashDays: allowed.trashDays,
    }
  }

  function shown(ref: string, project: StoredProject): StorageConfig {
    const { fileSizeLimit, imageTransformation, s3Protocol, region } = serving(project)
    const allowed = allowedTo(project)
    return {
      fileSizeLimit,
      features: {
        imageTransformation: { enabled: imageTransformation },
        s3Protocol: { enabled: s3Protocol },
      },
      allowed: {
        fileSizeLimit: allowed.fileSizeLimit,
        imageTransformation: allowed.imageTransformation,
      },
      s3: { endpoint: `${publicUrl(ref, project, projectUrl)}/storage/v1/s3`, region },
    }
  }

  async function found(ref: string, tx?: Tx): Promise<StoredProject> {
    const project = await store.find(ref, tx)
    if (!project) throw new ApiError('project_not_found')
    return project
  }

  function checked(project: StoredProject, asked: Parsed<typeof api.update>): ChosenStorage {
    const { fileSizeLimit: limit, features: { imageTransformation, s3Protocol } = {} } = asked
    if (limit === undefined && !imageTransformation && !s3Protocol)
      throw new ApiError('invalid_input', 'Name at least one setting to change')
    const allowed = allowedTo(project)
    const plan = planNames[planOfTier[project.tier]]
    if (limit !== undefined && limit > allowed.fileSizeLimit) {
      const max = `fileSizeLimit: ${allowed.fileSizeLimit} bytes at most`
      throw allowed.fileSizeLimit < largestUpload
        ? new ApiError('plan_limit', `${max} on the ${plan} plan`)
        : new ApiError('invalid_input', `${max} on this installation`)
    }
    if (imageTransformation?.enabled && !allowed.imageTransformation)
      throw new ApiError('plan_limit', `The ${plan} plan does not include image transformations`)
    return {
      file_size_limit: limit ?? project.file_size_limit,
      image_transformation: imageTransformation?.enabled ?? project.image_transformation,
      s3_protocol: s3Protocol?.enabled ?? project.s3_protocol,
    }
  }

  return {
    async get(ref: string): Promise<StorageConfig> {
      return shown(ref, await found(ref))
    },

    async update(caller: Caller, asked: Parsed<typeof api.update>, origin: Origin) {
      const { ref } = asked
      const { now } = await audited(
        { caller, ref, origin },
        'storageSettings.update',
        async (tx) => {
          const project = await found(ref, tx)
          const after = { ...project, ...checked(project, asked) }
          await store.save(tx, project.id, after)
          const [before, now] = [shown(ref, project), shown(ref, after)]
          return { now, change: { before: noted(before), after: noted(now) } }
        },
      )
      return now
    },

    /** For the service itself. */
    async forService(ref: string): Promise<StorageServing | undefined> {
      const project = await store.find(ref)
      return project && serving(project)
    },
  }
}
export type StorageSettings = ReturnType<typeof createStorageSettings>

const noted = ({ fileSizeLimit, features }: StorageConfig) => ({ fileSizeLimit, features })
