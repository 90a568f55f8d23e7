import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_app/project/$ref/database/')({
  loader: ({ params: { ref } }) => {
    throw redirect({ to: '/project/$ref/database/tables', params: { ref }, replace: true })
  },
})
