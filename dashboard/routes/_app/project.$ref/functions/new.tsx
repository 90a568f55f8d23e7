import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { NewFunctionPage } from '../../../../features/functions/functions/NewFunctionPage.tsx'
import { functionsQuery } from '../../../../features/functions/functions/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/functions/new')({
  staticData: { title: 'New function', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.prefetchQuery(functionsQuery(ref)),
  component: Page,
})

function Page() {
  return <NewFunctionPage projectRef={Route.useParams().ref} />
}
