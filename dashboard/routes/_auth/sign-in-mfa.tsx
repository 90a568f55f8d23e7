import { createFileRoute, useRouter } from '@tanstack/react-router'
import { SignInMfaPage } from '../../features/people/sign-in/SignInMfaPage.tsx'
import { requireHalfSession } from '../../session/identity/enter.ts'
import { safeReturnTo } from '../../session/identity/return-to.ts'

export const Route = createFileRoute('/_auth/sign-in-mfa')({
  staticData: { title: 'Two-factor authentication' },
  beforeLoad: ({ search }) => requireHalfSession(search.returnTo),
  component: Page,
})

function Page() {
  const { returnTo } = Route.useSearch()
  const router = useRouter()
  return <SignInMfaPage onVerified={() => router.history.push(safeReturnTo(returnTo))} />
}
