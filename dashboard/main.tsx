// First, so that the styles of frame and pages come after those they build on; with them what nearly every page shows, as
// one file in place of six.
import './ui/base.css'
import './ui/navigation/side-nav.css'
import './ui/lists/list-page.css'
import './ui/lists/objects.css'
import './ui/code/code-field.css'
import './ui/controls/day-field.css'
import './modules/roles/role-picker.css'
import './shell/shell.css'
import './features/people/notifications/notifications.css'
import './features/projects/projects/projects.css'
import './features/people/support/support.css'
import { createRoot } from 'react-dom/client'
import { watchNearLinks } from './api/near-links.ts'
import { queryClient } from './api/client.ts'
import { App } from './App.tsx'
import { createAppRouter } from './router.ts'
import { arriving, auth } from './session/identity/auth.ts'
import {
  followEndedSession,
  leaveEndedSession,
  followSession,
} from './session/identity/ended-session.ts'
import { followConsent } from './session/telemetry/follow-consent.ts'
import { watchForNewVersion } from './session/new-version.ts'
import { followRefusals } from './session/organization/permissions.ts'
import { loadPreviewFlags } from './session/telemetry/preview-flags.ts'
import { watchFocus } from './ui/floats/focus.ts'
import { afterPicture } from './ui/after-picture.ts'

const router = createAppRouter()
router.subscribe('onRendered', ({ toLocation }) => {
  // Nobody is signed in any more: what was read for the last person is not for the next. Only the sign-in page itself is on
  // the screen, and keeps what it has just asked for.
  if (toLocation.pathname !== '/sign-in') return
  leaveEndedSession()
  queryClient.removeQueries({ type: 'inactive' })
  queryClient.getMutationCache().clear()
})

// Not within the reading of this file, which is the longest work of a cold start.
queueMicrotask(start)
watchFocus()
if (arriving) void follow()
watchForNewVersion()
loadPreviewFlags()
followEndedSession()
followRefusals((slug) => void router.navigate({ to: '/org/$slug', params: { slug } }))

/**
 * Asks for the page's parts and data before anything is drawn. What is there soon is drawn once, and not a frame first;
 * whoever has to wait longer sees that something comes. Waiting begins when the parts are read: a slow machine spends
 * its time on them, and what was asked for meanwhile is often there by then.
 */
function start() {
  const root = document.getElementById('root')
  const loaded = router.load()
  const soon = readParts().then(() => new Promise((resolve) => setTimeout(resolve, 300)))
  void Promise.race([loaded, soon]).finally(() => {
    if (root) createRoot(root).render(<App router={router} />)
    if (!arriving) afterPicture(() => void follow())
    // A part that cannot be fetched now is told of where it is needed.
    afterPicture(() => void watchNearLinks().catch(() => undefined))
  })
}

/** What fails here fails once more where it is needed, and is told there. */
const readParts = () =>
  Promise.allSettled(
    router
      .matchRoutes(router.latestLocation)
      .map(async ({ routeId }) =>
        router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById]),
      ),
  )

/** What happens to the session outside of the pages: its client is loaded when they stand on the screen. */
async function follow() {
  const client = await auth()
  followSession(client, {
    onSignedOut: () => void router.navigate({ to: '/sign-in' }),
    onRecovery: () => void router.navigate({ to: '/reset-password' }),
  })
  followConsent(client)
}
