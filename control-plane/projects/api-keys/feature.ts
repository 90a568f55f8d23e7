import type { Platform } from '../../platform.ts'
import { createApiKeys, type ApiKeys } from './api-keys.ts'
import { apiKeyStore } from './store.ts'
import { apiKeys as api } from '#contract/projects/api-keys'
import { internal } from '#contract/internal-api'
import { implement, implementOpen } from '#kit/http'

type Needs = Pick<Parameters<typeof createApiKeys>[0], 'legacyKeysOf'>

/** What the clients of a project show. */
export function apiKeysFeature(platform: Platform, { legacyKeysOf }: Needs) {
  const { db, audited, secrets, access } = platform
  const keys = createApiKeys({
    store: apiKeyStore(db),
    secrets,
    audited,
    can: access.can,
    legacyKeysOf,
  })
  const { addFirst, oldestOf, forService } = keys
  return { routes: apiKeyRoutes(keys), addFirst, oldestOf, forService }
}

const apiKeyRoutes = (keys: ApiKeys) => [
  implement(api.list, (input, caller) => keys.list(caller, input)),
  implement(api.create, (input, caller, origin) => keys.create(caller, input, origin)),
  implement(api.legacy, ({ ref }) => keys.legacy(ref)),
  implement(api.setLegacy, (input, caller, origin) => keys.setLegacy(caller, input, origin)),
  implement(api.needed, ({ ref }) => keys.needed(ref)),
  implement(api.setNeeded, (input, caller, origin) => keys.setNeeded(caller, input, origin)),
  implement(api.get, (input, caller) => keys.get(caller, input)),
  implement(api.update, (input, caller, origin) => keys.update(caller, input, origin)),
  implement(api.remove, (input, caller, origin) => keys.remove(caller, input, origin)),
  implementOpen(internal.keyUses, async ({ uses }) => ({ kept: await keys.addUses(uses) })),
]
