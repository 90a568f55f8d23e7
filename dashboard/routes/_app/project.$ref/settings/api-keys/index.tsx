import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { KeysCard } from '../../../../../features/projects/api-keys/KeysCard.tsx'
import { NeededKeys } from '../../../../../features/projects/api-keys/NeededKeys.tsx'
import { apiKeysQuery } from '../../../../../features/projects/api-keys/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/settings/api-keys/')({
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(apiKeysQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return (
    <div className="sections">
      <KeysCard projectRef={ref} type="publishable" />
      <KeysCard projectRef={ref} type="secret" />
      <NeededKeys projectRef={ref} />
    </div>
  )
}
