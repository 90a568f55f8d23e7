import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { DatabaseSettingsPage } from '../../../../features/database/database-settings/DatabaseSettingsPage.tsx'
import {
  serverQuery,
  settingsQuery,
  sslQuery,
} from '../../../../features/database/database-settings/queries.ts'
import { DatabasePasswordCard } from '../../../../features/projects/projects/DatabasePasswordCard.tsx'
import { useSelfHosted } from '../../../../session/organization/mode.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('q')

export const Route = createFileRoute('/_app/project/$ref/database/settings')({
  staticData: { title: 'Database settings' },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(serverQuery(ref))
    void queryClient.prefetchQuery(settingsQuery(ref))
    void queryClient.prefetchQuery(sslQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { q = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  // There the platform comes in with the operator's own login, whose password is not its to change.
  const selfHosted = useSelfHosted()
  return (
    <DatabaseSettingsPage
      projectRef={ref}
      search={q}
      onSearch={(next) => void navigate({ search: readSearch({ q: next }), replace: true })}
      password={!selfHosted && <DatabasePasswordCard projectRef={ref} />}
    />
  )
}
