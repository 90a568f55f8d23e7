import { createFileRoute, Outlet } from '@tanstack/react-router'
import { AuthLayout } from '../features/sign-in/AuthLayout.tsx'
import { useTitle } from '../shell/use-title.ts'

/** The pages of people who are not signed in yet. */
export const Route = createFileRoute('/_auth')({
  validateSearch: ({ returnTo }: Record<string, unknown>): { returnTo?: string } =>
    typeof returnTo === 'string' ? { returnTo } : {},
  component: Layout,
})

function Layout() {
  useTitle()
  return (
    <AuthLayout>
      <Outlet />
    </AuthLayout>
  )
}
