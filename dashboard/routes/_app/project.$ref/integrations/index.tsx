import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { HubPage } from '../../../../features/integrations/hub/HubPage.tsx'
import { kindNames, type IntegrationKind } from '../../../../modules/integrations/catalogue.ts'
import { extensionsQuery } from '../../../../modules/objects/lists.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('q', 'kind')

export const Route = createFileRoute('/_app/project/$ref/integrations/')({
  staticData: { title: 'Integrations' },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => void queryClient.prefetchQuery(extensionsQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { q, kind = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <HubPage
      projectRef={ref}
      search={{ q, kind: isKind(kind) ? kind : undefined }}
      onSearch={(next) => void navigate({ search: readSearch(next), replace: true })}
    />
  )
}

const isKind = (text: string): text is IntegrationKind => Object.hasOwn(kindNames, text)
