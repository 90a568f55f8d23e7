import { createFileRoute } from '@tanstack/react-router'
import { DeploymentsPage } from '../../../../../features/functions/functions/DeploymentsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/functions/$functionSlug/deployments')({
  staticData: { title: 'Deployments', withoutDatabase: true },
  component: Page,
})

function Page() {
  const { ref, functionSlug } = Route.useParams()
  return <DeploymentsPage projectRef={ref} slug={functionSlug} />
}
