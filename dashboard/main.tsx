// First, so that the styles of frame and pages come after those they build on; with them what nearly every page shows, as
// one file in place of six.
import './ui/base.css'
import './ui/side-nav.css'
import './ui/list-page.css'
import './ui/objects.css'
import './ui/code/code-field.css'
import './ui/day-field.css'
import './session/role-picker.css'
import './shell/shell.css'
import './features/notifications/notifications.css'
import './features/projects/projects.css'
import './features/support/support.css'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/client.ts'
import { App } from './App.tsx'
import { createAppRouter } from './router.ts'
import { followConsent } from './session/follow-consent.ts'
import { followSession } from './session/follow-session.ts'
import { watchForNewVersion } from './session/new-version.ts'
import { followRefusals } from './session/permissions.ts'
import { loadPreviewFlags } from './session/preview-flags.ts'

const router = createAppRouter()
followSession({
  onSignedOut: () => void router.navigate({ to: '/sign-in' }),
  onRecovery: () => void router.navigate({ to: '/reset-password' }),
})
router.subscribe('onRendered', ({ toLocation }) => {
  // Nobody is signed in any more: what was read for the last person is not for the next. Only the sign-in page itself is on
  // the screen, and keeps what it has just asked for.
  if (toLocation.pathname !== '/sign-in') return
  queryClient.removeQueries({ type: 'inactive' })
  queryClient.getMutationCache().clear()
})

// The page's parts and data are asked for before anything is drawn. What is there soon is drawn once, and not a frame
// first; whoever has to wait longer sees that something comes.
const root = document.getElementById('root')
const soon = new Promise((resolve) => setTimeout(resolve, 300))
void Promise.race([router.load(), soon]).then(() => {
  if (root) createRoot(root).render(<App router={router} />)
})
// While the server answers, the parts are read. What fails here fails once more where it is needed, and is told there.
for (const { routeId } of router.matchRoutes(router.latestLocation))
  router
    .loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])
    ?.catch(() => undefined)
followConsent()
watchForNewVersion()
loadPreviewFlags()
followRefusals((slug) => void router.navigate({ to: '/org/$slug', params: { slug } }))
