import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { DataApiPage } from '../../../../features/data-api/data-api/DataApiPage.tsx'
import { dataApiQuery } from '../../../../features/data-api/data-api/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/settings/api')({
  staticData: { title: 'Data API' },
  loader: ({ params: { ref } }) => queryClient.ensureQueryData(dataApiQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <DataApiPage projectRef={ref} />
}
