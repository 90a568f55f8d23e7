import type { Platform } from '../../platform.ts'
import { createApiKeys } from './api-keys.ts'
import { apiKeyRoutes } from './routes.ts'
import { apiKeyStore } from './store.ts'

type Needs = Pick<Parameters<typeof createApiKeys>[0], 'legacyKeysOf'>

/** What the clients of a project show. */
export function apiKeysFeature(platform: Platform, { legacyKeysOf }: Needs) {
  const { db, record, secrets, projects, access } = platform
  const keys = createApiKeys({
    store: apiKeyStore(db),
    secrets,
    record,
    tell: projects.tell,
    can: access.can,
    legacyKeysOf,
  })
  const { addFirst, oldestOf, forService } = keys
  return { routes: apiKeyRoutes(keys), addFirst, oldestOf, forService }
}
