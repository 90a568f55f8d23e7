import { createFileRoute } from '@tanstack/react-router'
import { SignInSsoPage } from '../../features/people/sign-in/SignInSsoPage.tsx'
import { leaveIfSignedIn } from '../../session/identity/enter.ts'

export const Route = createFileRoute('/_auth/sign-in-sso')({
  staticData: { title: 'Single sign-on' },
  beforeLoad: ({ search }) => leaveIfSignedIn(search.returnTo),
  component: Page,
})

function Page() {
  const { returnTo } = Route.useSearch()
  return <SignInSsoPage returnTo={returnTo} />
}
