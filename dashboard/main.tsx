// First, so that the styles of frame and pages come after those they build on.
import './ui/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { createAppRouter } from './router.ts'
import { leaveWhenSignedOut } from './session/leave.ts'

const router = createAppRouter()
leaveWhenSignedOut(() => void router.navigate({ to: '/sign-in' }))

const root = document.getElementById('root')
if (root) createRoot(root).render(<App router={router} />)
