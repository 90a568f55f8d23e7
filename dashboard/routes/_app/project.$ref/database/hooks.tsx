import { createFileRoute, redirect } from '@tanstack/react-router'

/** The address that webhooks had before they were an integration. */
export const Route = createFileRoute('/_app/project/$ref/database/hooks')({
  staticData: { title: 'Webhooks' },
  beforeLoad({ params }) {
    throw redirect({ to: '/project/$ref/integrations/webhooks', params, replace: true })
  },
})
