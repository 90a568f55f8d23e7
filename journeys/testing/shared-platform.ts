import { inject } from 'vitest'
import { atEnd } from './ends.ts'
import { startPlatform, type Place, type Platform } from './platform.ts'
import { watchLog } from './watched.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each worker, started by global-setup.ts. */
    platforms: Place[]
  }
}

/** An address of this machine that log drains may send to. */
export const receiverAddress = '127.0.0.2'

/**
 * The platform that all journeys of this worker share, one after the other. Each makes people, organizations and projects
 * of its own; who stops, configures or kills a platform, or says something to all of its people, takes `ownPlatform`.
 */
export function sharedPlatform(): Place {
  const platforms = inject('platforms')
  const place = platforms[(Number(process.env['VITEST_POOL_ID']) - 1) % platforms.length]
  if (!place) throw new Error('No platform was started for this worker')
  watchLog(place.log)
  return place
}

/** A platform for this journey alone, which ends with it. */
export async function ownPlatform(
  options: Parameters<typeof startPlatform>[0] = {},
): Promise<Platform> {
  const platform = await startPlatform(options)
  watchLog(platform.log)
  atEnd(() => platform.dispose())
  return platform
}
