import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { LegacyKeys } from '../../../../../features/projects/api-keys/LegacyKeys.tsx'
import { apiKeysQuery } from '../../../../../features/projects/api-keys/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/settings/api-keys/legacy')({
  staticData: { title: 'Legacy API keys', withoutDatabase: true },
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(apiKeysQuery(ref))
  },
  component: Page,
})

function Page() {
  return <LegacyKeys projectRef={Route.useParams().ref} />
}
