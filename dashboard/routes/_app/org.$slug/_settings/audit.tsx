import { createFileRoute } from '@tanstack/react-router'
import { AuditPage } from '../../../../features/organizations/audit/AuditPage.tsx'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('from', 'to', 'user', 'project', 'action')

export const Route = createFileRoute('/_app/org/$slug/_settings/audit')({
  staticData: { title: 'Audit log' },
  validateSearch: readSearch,
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
