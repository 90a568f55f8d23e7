import { accessTokens as api } from '#contract/people/access-tokens'
import { implement } from '#kit/http'
import type { AccessTokens } from './access-tokens.ts'

export const accessTokenRoutes = (tokens: AccessTokens) => [
  implement(api.list, (_, caller) => tokens.list(caller)),
  implement(api.create, (input, caller, origin) => tokens.create(caller, input, origin)),
  implement(api.detail, ({ id }, caller) => tokens.get(caller, id)),
  implement(api.remove, ({ id }, caller, origin) => tokens.remove(caller, id, origin)),
]
