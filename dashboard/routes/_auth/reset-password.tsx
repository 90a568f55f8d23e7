import { createFileRoute, useRouter } from '@tanstack/react-router'
import { ResetPasswordPage } from '../../features/people/sign-in/PasswordPages.tsx'
import { currentSession } from '../../session/identity/auth.ts'
import { landing } from '../../session/identity/return-to.ts'

export const Route = createFileRoute('/_auth/reset-password')({
  staticData: { title: 'Choose a new password' },
  loader: async () => ({ signedIn: (await currentSession()) !== null }),
  component: Page,
})

function Page() {
  const { signedIn } = Route.useLoaderData()
  const router = useRouter()
  return <ResetPasswordPage signedIn={signedIn} onDone={() => router.history.push(landing)} />
}
