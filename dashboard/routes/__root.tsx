import { createRootRoute, Outlet } from '@tanstack/react-router'
import { ConsentGate } from '../features/people/consent/ConsentGate.tsx'
import { usePageTracking } from '../shell/use-page.ts'

export const Route = createRootRoute({ component: Root })

function Root() {
  usePageTracking()
  return (
    <>
      <Outlet />
      <ConsentGate />
    </>
  )
}
