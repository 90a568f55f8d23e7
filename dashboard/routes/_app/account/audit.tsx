import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { type AuditFilter, auditQuery } from '../../../features/people/account/queries.ts'
import { AuditPage } from '../../../features/people/account/AuditPage.tsx'

const names = ['from', 'to', 'find'] as const

const given = (search: Record<string, unknown>): AuditFilter =>
  Object.fromEntries(
    names.map((n) => [n, search[n]]).filter(([, v]) => typeof v === 'string' && v !== ''),
  )

export const Route = createFileRoute('/_app/account/audit')({
  staticData: { title: 'Audit log' },
  validateSearch: given,
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
        void navigate({ to: '/account/audit', search: given(next), replace: true })
      }
    />
  )
}
