import type { Platform } from '../../platform.ts'
import { createSelfHosted } from './self-hosted.ts'
import { selfHostedStore } from './store.ts'

type Needs = Omit<Parameters<typeof createSelfHosted>[0], 'store' | 'secrets' | 'compute'>

/** What self-hosted mode begins with. */
export const selfHostedFeature = ({ db, secrets, compute }: Platform, needs: Needs) => ({
  start: createSelfHosted({ store: selfHostedStore(db), secrets, compute, ...needs }),
})
