import { internal } from '#contract/internal-api'
import { planOfTier } from '#contract/billing/plans'
import { includedStorage, storageUse as api } from '#contract/storage/storage-use'
import { ApiError } from '#kit/errors'
import { implement, implementOpen } from '#kit/http'
import type { StorageUseStore } from './use-store.ts'

type Deps = { store: StorageUseStore; hasPlans: boolean }

export const storageUseRoutes = ({ store, hasPlans }: Deps) => [
  implement(api.get, async ({ ref }) => {
    const found = await store.ofMonth(ref)
    if (!found) throw new ApiError('project_not_found')
    return {
      egress_bytes: found.egress,
      rendered_images: found.renders,
      included: hasPlans ? includedStorage(planOfTier[found.tier]) : null,
    }
  }),
  implementOpen(internal.storageUse, async ({ uses }) => {
    await store.add(uses)
    return { kept: uses.length }
  }),
]
