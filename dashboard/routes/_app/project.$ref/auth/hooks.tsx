import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { HooksPage } from '../../../../features/auth/auth-config/hooks/HooksPage.tsx'
import { authConfigQuery } from '../../../../features/auth/auth-config/queries.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('hook')

export const Route = createFileRoute('/_app/project/$ref/auth/hooks')({
  staticData: { title: 'Auth hooks' },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => queryClient.ensureQueryData(authConfigQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { hook } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <HooksPage
      projectRef={ref}
      open={hook}
      onOpen={(id) => void navigate({ search: id ? { hook: id } : {}, replace: true })}
    />
  )
}
