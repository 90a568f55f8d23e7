import { createFileRoute } from '@tanstack/react-router'
import { NoTable } from '../../../../features/table-editor/NoTable.tsx'

export const Route = createFileRoute('/_app/project/$ref/editor/')({ component: Page })

function Page() {
  const { ref } = Route.useParams()
  const { schema = 'public' } = Route.useSearch()
  return <NoTable projectRef={ref} schema={schema} />
}
