import { createFileRoute, redirect } from '@tanstack/react-router'

/** The keys of today under their other address. */
export const Route = createFileRoute('/_app/project/$ref/settings/api-keys/new')({
  loader: ({ params: { ref } }) => {
    throw redirect({ to: '/project/$ref/settings/api-keys', params: { ref }, replace: true })
  },
})
