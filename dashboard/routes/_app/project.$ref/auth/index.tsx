import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_app/project/$ref/auth/')({
  loader: ({ params: { ref } }) => {
    throw redirect({ to: '/project/$ref/auth/users', params: { ref }, replace: true })
  },
})
