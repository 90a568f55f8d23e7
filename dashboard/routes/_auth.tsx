import { createFileRoute, Outlet } from '@tanstack/react-router'
import { AuthLayout } from '../features/people/sign-in/AuthLayout.tsx'
import { IncidentBanner } from '../shell/banners/IncidentBanner.tsx'
import { useTitle } from '../shell/use-page.ts'

/** `code` and `error_description` are how a sign-in at another place comes back, `state` how a window of ours does. */
type Search = { returnTo?: string; code?: string; error_description?: string; state?: string }

const names = ['returnTo', 'code', 'error_description', 'state'] as const

/** The pages of people who are not signed in yet. */
export const Route = createFileRoute('/_auth')({
  validateSearch: (search: Record<string, unknown>): Search =>
    Object.fromEntries(names.map((n) => [n, search[n]]).filter(([, v]) => typeof v === 'string')),
  component: Layout,
})

function Layout() {
  useTitle()
  return (
    <div className="under-banners">
      <IncidentBanner />
      <AuthLayout>
        <Outlet />
      </AuthLayout>
    </div>
  )
}
