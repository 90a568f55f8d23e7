import { createFileRoute, Outlet } from '@tanstack/react-router'
import { AuthLayout } from '../features/people/sign-in/AuthLayout.tsx'
import { IncidentBanner } from '../shell/banners/IncidentBanner.tsx'
import { useTitle } from '../shell/use-page.ts'
import { textParams } from '../session/search-params.ts'

/** `code` and `error_description` are how a sign-in at another place comes back, `state` how a window of ours does. */
const readSearch = textParams('returnTo', 'code', 'error_description', 'state')

/** The pages of people who are not signed in yet. */
export const Route = createFileRoute('/_auth')({
  validateSearch: readSearch,
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
