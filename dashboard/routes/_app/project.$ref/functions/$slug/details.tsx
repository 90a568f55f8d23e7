import { createFileRoute } from '@tanstack/react-router'
import { DetailsPage } from '../../../../../features/functions/DetailsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/functions/$slug/details')({
  staticData: { title: 'Details', withoutDatabase: true },
  component: Page,
})

function Page() {
  const { ref, slug } = Route.useParams()
  return <DetailsPage projectRef={ref} slug={slug} />
}
