import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_app/project/$ref/database/backups/')({
  loader: ({ params: { ref } }) => {
    throw redirect({
      to: '/project/$ref/database/backups/scheduled',
      params: { ref },
      replace: true,
    })
  },
})
