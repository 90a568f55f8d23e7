import { createFileRoute } from '@tanstack/react-router'
import { AuditPage } from '../../../../features/organizations/audit/AuditPage.tsx'
import type { AuditFilter } from '../../../../features/organizations/audit/queries.ts'

const names = ['from', 'to', 'user', 'project', 'action'] as const

export const Route = createFileRoute('/_app/org/$slug/_settings/audit')({
  staticData: { title: 'Audit log' },
  validateSearch: (search: Record<string, unknown>): AuditFilter =>
    Object.fromEntries(
      names.map((n) => [n, search[n]]).filter(([, v]) => typeof v === 'string' && v !== ''),
    ),
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  const filter = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <AuditPage
      slug={slug}
      filter={filter}
      onFilter={(next) => void navigate({ search: next, replace: true })}
    />
  )
}
