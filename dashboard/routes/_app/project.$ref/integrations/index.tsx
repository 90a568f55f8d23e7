import { createFileRoute, redirect } from '@tanstack/react-router'

/** The first of them. */
export const Route = createFileRoute('/_app/project/$ref/integrations/')({
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/project/$ref/integrations/cron', params, replace: true })
  },
})
