import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { ProvidersPage } from '../../../../features/auth/auth-config/ProvidersPage.tsx'
import { authConfigQuery } from '../../../../features/auth/auth-config/queries.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('provider')

export const Route = createFileRoute('/_app/project/$ref/auth/providers')({
  staticData: {
    feature: 'authentication:sign_in_providers',
    title: 'Sign in / Providers',
    withoutDatabase: true,
  },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => queryClient.ensureQueryData(authConfigQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { provider } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ProvidersPage
      projectRef={ref}
      open={provider}
      onOpen={(id) => void navigate({ search: id ? { provider: id } : {}, replace: true })}
    />
  )
}
