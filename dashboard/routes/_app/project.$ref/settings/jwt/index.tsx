import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/_app/project/$ref/settings/jwt/')({
  loader: ({ params: { ref } }) => {
    throw redirect({
      to: '/project/$ref/settings/jwt/signing-keys',
      params: { ref },
      replace: true,
    })
  },
})
