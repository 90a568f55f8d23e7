import { createFileRoute } from '@tanstack/react-router'
import { ForgotPasswordPage } from '../../features/people/sign-in/PasswordPages.tsx'

export const Route = createFileRoute('/_auth/forgot-password')({
  staticData: { title: 'Forgot password' },
  component: ForgotPasswordPage,
})
