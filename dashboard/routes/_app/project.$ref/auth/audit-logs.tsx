import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { AuditLogsPage } from '../../../../features/auth/auth-users/AuditLogsPage.tsx'
import { auditParams, auditQuery } from '../../../../features/auth/auth-users/queries.ts'
import { searchTexts } from '../../../../session/search-texts.ts'

export const Route = createFileRoute('/_app/project/$ref/auth/audit-logs')({
  staticData: { title: 'Audit logs' },
  validateSearch: (search: Record<string, unknown>) => searchTexts(search, auditParams),
  loaderDeps: ({ search }) => ({ filter: search }),
  loader: ({ params: { ref }, deps: { filter } }) =>
    void queryClient.prefetchInfiniteQuery(auditQuery(ref, filter)),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <AuditLogsPage
      projectRef={Route.useParams().ref}
      filter={Route.useSearch()}
      onFilter={(next) => void navigate({ search: searchTexts(next, auditParams), replace: true })}
    />
  )
}
