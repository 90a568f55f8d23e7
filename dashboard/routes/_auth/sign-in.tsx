import { createFileRoute, redirect, useRouter } from '@tanstack/react-router'
import { finishExternalSignIn } from '../../features/people/sign-in/external-sign-in.ts'
import { SignInPage } from '../../features/people/sign-in/SignInPage.tsx'
import { leaveIfSignedIn } from '../../session/identity/enter.ts'
import { safeReturnTo } from '../../session/identity/return-to.ts'

export const Route = createFileRoute('/_auth/sign-in')({
  staticData: { title: 'Sign in' },
  beforeLoad: async ({ search, preload }) => {
    const { returnTo, code, error_description: refusal } = search
    if ((code ?? refusal) !== undefined && !preload) {
      await finishExternalSignIn({ code, refusal })
      // Without the code, which works once.
      throw redirect({ to: '/sign-in', search: returnTo ? { returnTo } : {} })
    }
    await leaveIfSignedIn(returnTo)
  },
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
