import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import {
  infrastructureParams,
  type InfrastructureParams,
} from '../../../../features/projects/infrastructure/infrastructure-params.ts'
import { InfrastructurePage } from '../../../../features/projects/infrastructure/InfrastructurePage.tsx'
import { versionsQuery } from '../../../../features/projects/infrastructure/queries.ts'
import { aboutQuery } from '../../../../modules/logs/asked.ts'

/** The charts ask for their figures when somebody looks, and not for every link that is pointed at. */
export const Route = createFileRoute('/_app/project/$ref/settings/infrastructure')({
  staticData: { title: 'Infrastructure', withoutDatabase: true },
  validateSearch: infrastructureParams,
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(aboutQuery(ref))
    return queryClient.prefetchQuery(versionsQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  const params = Route.useSearch()
  const onParams = (next: InfrastructureParams) =>
    void navigate({ search: infrastructureParams(next), replace: true, resetScroll: false })
  return <InfrastructurePage key={ref} projectRef={ref} {...{ params, onParams }} />
}
