import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { SecretsPage } from '../../../../features/functions/functions/SecretsPage.tsx'
import { secretsQuery } from '../../../../features/functions/functions/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/functions/secrets')({
  staticData: { title: 'Secrets', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.prefetchQuery(secretsQuery(ref)),
  component: Page,
})

function Page() {
  return <SecretsPage projectRef={Route.useParams().ref} />
}
