import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_app/project/$ref/settings/')({
  loader: ({ params: { ref } }) => {
    throw redirect({ to: '/project/$ref/settings/general', params: { ref }, replace: true })
  },
})
