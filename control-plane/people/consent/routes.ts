import { consent as api } from '#contract/people/consent'
import { implement, implementOpen } from '#kit/http'
import type { Consent } from './consent.ts'

export const consentRoutes = (consent: Consent) => [
  implementOpen(api.categories, async () => consent.categories()),
  implement(api.get, (_, caller) => consent.get(caller)),
  implement(api.decide, ({ decisions }, caller, origin) =>
    consent.decide(caller, decisions, origin),
  ),
]
