import { createFileRoute, redirect } from '@tanstack/react-router'
import { landing } from '../session/identity/return-to.ts'

export const Route = createFileRoute('/')({
  beforeLoad: () => {
    throw redirect({ to: landing })
  },
})
