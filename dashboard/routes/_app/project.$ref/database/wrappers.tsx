import { createFileRoute, redirect } from '@tanstack/react-router'
import { textParams } from '../../../../session/search-params.ts'

/** Where they were before; the page is among the integrations. */
export const Route = createFileRoute('/_app/project/$ref/database/wrappers')({
  staticData: { feature: 'integrations:wrappers' },
  validateSearch: textParams('q'),
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/project/$ref/integrations/wrappers', params, search, replace: true })
  },
})
