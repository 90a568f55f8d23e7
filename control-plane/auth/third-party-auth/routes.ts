import { thirdPartyAuth as api } from '#contract/auth/third-party-auth'
import { implement } from '#kit/http'
import type { ThirdPartyAuths } from './third-party-auth.ts'

export const thirdPartyAuthRoutes = (parties: ThirdPartyAuths) => [
  implement(api.list, ({ ref }) => parties.list(ref)),
  implement(api.create, (input, caller, origin) => parties.create(caller, input, origin)),
  implement(api.get, ({ ref, tpa_id: id }) => parties.get(ref, id)),
  implement(api.remove, (input, caller, origin) => parties.remove(caller, input, origin)),
]
