import type { Platform } from '../../platform.ts'
import { platformRoutes } from './routes.ts'

/** What the installation is, for whoever asks. */
export function platformFeature(platform: Platform) {
  const { version, mode = 'platform', localMailbox: mailbox, endpoints } = platform
  const { discussionsUrl, disabledFeatures, environment, content, trashDays } = platform
  return {
    routes: platformRoutes({
      version,
      mode,
      mailbox,
      discussionsUrl,
      disabledFeatures: disabledFeatures ?? [],
      environment,
      content,
      trashDays,
      endpoints: [...endpoints],
    }),
  }
}
