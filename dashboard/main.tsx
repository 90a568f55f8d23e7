// First, so that the styles of frame and pages come after those they build on.
import './ui/base.css'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/client.ts'
import { App } from './App.tsx'
import { createAppRouter } from './router.ts'
import { followSession } from './session/follow-session.ts'

const router = createAppRouter()
followSession({
  onSignedOut: () => void router.navigate({ to: '/sign-in' }),
  onRecovery: () => void router.navigate({ to: '/reset-password' }),
})
router.subscribe('onRendered', ({ toLocation }) => {
  // Nobody is signed in any more: what was read for the last person is not for the next.
  if (toLocation.pathname === '/sign-in') queryClient.clear()
})

const root = document.getElementById('root')
if (root) createRoot(root).render(<App router={router} />)
