import type { Platform } from '../../platform.ts'
import { createConsent, type Consent } from './consent.ts'
import { consentStore } from './store.ts'
import { consent as api } from '#contract/people/consent'
import { implement, implementOpen } from '#kit/http'

export function consentFeature({ db, record }: Platform) {
  const consent = createConsent(consentStore(db), record)
  return { routes: consentRoutes(consent), grants: consent.grants }
}

const consentRoutes = (consent: Consent) => [
  implementOpen(api.categories, async () => consent.categories()),
  implement(api.get, (_, caller) => consent.get(caller)),
  implement(api.decide, ({ decisions }, caller, origin) =>
    consent.decide(caller, decisions, origin),
  ),
]
