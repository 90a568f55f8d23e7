import { createFileRoute, redirect } from '@tanstack/react-router'
import { lastTable } from '../../../../features/database/table-editor/entities/last-table.ts'
import { NoTable } from '../../../../features/database/table-editor/EditorLayout.tsx'

/** No table: the one that was open last. Whoever asks for a schema wants its list. */
export const Route = createFileRoute('/_app/project/$ref/editor/')({
  beforeLoad: ({ params: { ref }, search }) => {
    const id = lastTable(ref)
    if (id === undefined || search.schema !== undefined) return
    throw redirect({ to: '/project/$ref/editor/$id', params: { ref, id }, replace: true })
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { schema = 'public' } = Route.useSearch()
  return <NoTable projectRef={ref} schema={schema} />
}
