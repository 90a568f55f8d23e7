import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { auditQuery } from '../../../features/people/account/queries.ts'
import { AuditPage } from '../../../features/people/account/AuditPage.tsx'
import { textParams } from '../../../session/search-params.ts'

const readFilter = textParams('from', 'to', 'find')

export const Route = createFileRoute('/_app/account/audit')({
  staticData: { title: 'Audit log' },
  validateSearch: readFilter,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => void queryClient.prefetchInfiniteQuery(auditQuery(deps)),
  component: Page,
})

function Page() {
  const filter = Route.useSearch()
  const navigate = useNavigate()
  return (
    <AuditPage
      filter={filter}
      onFilter={(next) =>
        void navigate({ to: '/account/audit', search: readFilter(next), replace: true })
      }
    />
  )
}
