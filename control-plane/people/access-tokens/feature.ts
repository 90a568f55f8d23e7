import type { PlatformBase } from '../../platform.ts'
import { createAccessTokens, type AccessTokens } from './access-tokens.ts'
import { accessTokenStore } from './store.ts'
import { accessTokens as api } from '#contract/people/access-tokens'
import { implement } from '#kit/http'

export function accessTokensFeature({ db, record }: PlatformBase) {
  const tokens = createAccessTokens(accessTokenStore(db), record)
  return { routes: accessTokenRoutes(tokens), verify: tokens.verify }
}

const accessTokenRoutes = (tokens: AccessTokens) => [
  implement(api.list, (_, caller) => tokens.list(caller)),
  implement(api.create, (input, caller, origin) => tokens.create(caller, input, origin)),
  implement(api.detail, ({ id }, caller) => tokens.get(caller, id)),
  implement(api.remove, ({ id }, caller, origin) => tokens.remove(caller, id, origin)),
]
