import { createFileRoute, useRouter } from '@tanstack/react-router'
import { SignUpPage } from '../../features/people/sign-in/SignUpPage.tsx'
import { leaveIfSignedIn } from '../../session/identity/enter.ts'
import { createProfile } from '../../session/identity/profile.ts'
import { safeReturnTo } from '../../session/identity/return-to.ts'

export const Route = createFileRoute('/_auth/sign-up')({
  staticData: { title: 'Create an account' },
  beforeLoad: ({ search }) => leaveIfSignedIn(search.returnTo),
  component: Page,
})

function Page() {
  const { returnTo } = Route.useSearch()
  const router = useRouter()

  function enter() {
    router.history.push(safeReturnTo(returnTo))
  }

  return (
    <SignUpPage
      returnTo={returnTo}
      // A new account has no profile. When making it fails here, the next page tries again and has said why.
      onSignedIn={() => void createProfile().then(enter, enter)}
    />
  )
}
