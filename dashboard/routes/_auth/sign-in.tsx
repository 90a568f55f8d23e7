import { createFileRoute, useRouter } from '@tanstack/react-router'
import { SignInPage } from '../../features/sign-in/SignInPage.tsx'
import { leaveIfSignedIn } from '../../session/enter.ts'
import { safeReturnTo } from '../../session/return-to.ts'

export const Route = createFileRoute('/_auth/sign-in')({
  staticData: { title: 'Sign in' },
  beforeLoad: ({ search }) => leaveIfSignedIn(search.returnTo),
  component: Page,
})

function Page() {
  const { returnTo } = Route.useSearch()
  const router = useRouter()
  return (
    <SignInPage
      returnTo={returnTo}
      onSignedIn={() => router.history.push(safeReturnTo(returnTo))}
    />
  )
}
