import type { Platform } from '../../platform.ts'
import { createArrival } from './arrival.ts'
import { resolveTxtByDns } from './domains.ts'
import { createSso, type Sso } from './sso.ts'
import { ssoStore } from './store.ts'
import { sso as api } from '#contract/organizations/sso'
import { implement } from '#kit/http'

type Needs = Pick<Parameters<typeof createArrival>[0], 'join' | 'makeProfile'>

/** Signing in through an organization's own identity provider. */
export function ssoFeature(platform: Platform, { join, makeProfile }: Needs) {
  const { db, record, log, sso: gateway, resolveTxt = resolveTxtByDns } = platform
  const { trustedSsoDomains: trustedDomains = [] } = platform
  const store = ssoStore(db)
  const sso = createSso({ store, record, resolveTxt, gateway, trustedDomains, log })
  return {
    routes: ssoRoutes(sso),
    forget: sso.forget,
    arrive: createArrival({ store, record, join, makeProfile }),
  }
}

const ssoRoutes = (sso: Sso) => [
  implement(api.get, ({ slug }) => sso.get(slug)),
  implement(api.create, (input, caller, origin) => sso.create(caller, input, origin)),
  implement(api.update, (input, caller, origin) => sso.update(caller, input, origin)),
  implement(api.remove, ({ slug }, caller, origin) => sso.remove(caller, slug, origin)),
  implement(api.verifyDomain, ({ slug, domain }, caller, origin) =>
    sso.verifyDomain(caller, slug, domain, origin),
  ),
]
