import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { FunctionsPage } from '../../../../features/functions/functions/FunctionsPage.tsx'
import { functionsQuery } from '../../../../features/functions/functions/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/functions/')({
  staticData: { title: 'Edge functions', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.prefetchQuery(functionsQuery(ref)),
  component: Page,
})

function Page() {
  return <FunctionsPage projectRef={Route.useParams().ref} />
}
