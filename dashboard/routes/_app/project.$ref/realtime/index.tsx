import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_app/project/$ref/realtime/')({
  loader: ({ params: { ref } }) => {
    throw redirect({ to: '/project/$ref/realtime/inspector', params: { ref }, replace: true })
  },
})
