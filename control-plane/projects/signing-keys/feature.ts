import type { Platform } from '../../platform.ts'
import { signingKeyRoutes } from './routes.ts'
import { createSigningKeys } from './signing-keys.ts'
import { signingKeyStore } from './store.ts'

/** What signs the tokens of a project's users. */
export function signingKeysFeature({ db, record, secrets, projects }: Platform) {
  const store = signingKeyStore(db)
  const keys = createSigningKeys({ store, secrets, record, tell: projects.tell })
  return { routes: signingKeyRoutes(keys), first: keys.first, forService: keys.forService }
}
