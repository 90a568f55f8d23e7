import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { AuditLogsPage } from '../../../../features/auth/auth-users/AuditLogsPage.tsx'
import { auditQuery } from '../../../../features/auth/auth-users/queries.ts'
import { auditParams } from '../../../../features/auth/auth-users/search.ts'

export const Route = createFileRoute('/_app/project/$ref/auth/audit-logs')({
  staticData: { title: 'Audit logs' },
  validateSearch: auditParams,
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
      onFilter={(next) => void navigate({ search: auditParams(next), replace: true })}
    />
  )
}
