import { createFileRoute } from '@tanstack/react-router'
import { DetailsPage } from '../../../../../features/functions/functions/DetailsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/functions/$functionSlug/details')({
  staticData: { title: 'Details', withoutDatabase: true },
  component: Page,
})

function Page() {
  const { ref, functionSlug } = Route.useParams()
  return <DetailsPage projectRef={ref} slug={functionSlug} />
}
