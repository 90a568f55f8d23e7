import { createFileRoute } from '@tanstack/react-router'
import { ReportsPage } from '../../../../features/observability/reports/ReportsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/reports/')({
  staticData: { title: 'Reports', feature: 'reports:all' },
  component: Page,
})

function Page() {
  return <ReportsPage projectRef={Route.useParams().ref} />
}
