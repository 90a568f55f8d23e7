import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { VaultPage } from '../../../../features/integrations/vault/VaultPage.tsx'
import { vaultQuery } from '../../../../features/integrations/vault/queries.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('q')

export const Route = createFileRoute('/_app/project/$ref/integrations/vault')({
  staticData: { title: 'Vault' },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(vaultQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { q = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <VaultPage
      projectRef={ref}
      search={q}
      onSearch={(next) => void navigate({ search: readSearch({ q: next }), replace: true })}
    />
  )
}
