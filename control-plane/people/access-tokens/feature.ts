import type { PlatformBase } from '../../platform.ts'
import { createAccessTokens } from './access-tokens.ts'
import { accessTokenRoutes } from './routes.ts'
import { accessTokenStore } from './store.ts'

export function accessTokensFeature({ db, record }: PlatformBase) {
  const tokens = createAccessTokens(accessTokenStore(db), record)
  return { routes: accessTokenRoutes(tokens), verify: tokens.verify }
}
