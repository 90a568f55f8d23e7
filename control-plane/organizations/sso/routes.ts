import { sso as api } from '#contract/organizations/sso'
import { implement } from '#kit/http'
import type { Sso } from './sso.ts'

export const ssoRoutes = (sso: Sso) => [
  implement(api.get, ({ slug }) => sso.get(slug)),
  implement(api.create, (input, caller, origin) => sso.create(caller, input, origin)),
  implement(api.update, (input, caller, origin) => sso.update(caller, input, origin)),
  implement(api.remove, ({ slug }, caller, origin) => sso.remove(caller, slug, origin)),
  implement(api.verifyDomain, ({ slug, domain }, caller, origin) =>
    sso.verifyDomain(caller, slug, domain, origin),
  ),
]
