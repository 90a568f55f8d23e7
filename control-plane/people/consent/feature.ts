import type { Platform } from '../../platform.ts'
import { createConsent } from './consent.ts'
import { consentRoutes } from './routes.ts'
import { consentStore } from './store.ts'

export function consentFeature({ db, record }: Platform) {
  const consent = createConsent(consentStore(db), record)
  return { routes: consentRoutes(consent), grants: consent.grants }
}
