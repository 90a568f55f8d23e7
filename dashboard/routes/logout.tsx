import { createFileRoute, redirect } from '@tanstack/react-router'
import { signOut } from '../session/identity/sign-out.ts'

export const Route = createFileRoute('/logout')({
  beforeLoad: async ({ preload }) => {
    // Pointing at the link must not sign anyone out.
    if (preload) return
    await signOut()
    throw redirect({ to: '/sign-in' })
  },
})
