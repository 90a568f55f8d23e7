import { createFileRoute } from '@tanstack/react-router'
import { NoTable } from '../../../../features/database/table-editor/EditorLayout.tsx'
import { TablePanel } from '../../../../modules/tables/table-panels.tsx'

export const Route = createFileRoute('/_app/project/$ref/editor/new')({ component: Page })

function Page() {
  const { ref } = Route.useParams()
  const { schema = 'public' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <>
      <NoTable projectRef={ref} schema={schema} />
      <TablePanel
        projectRef={ref}
        schema={schema}
        what={{ kind: 'create' }}
        onClose={() =>
          void navigate({ to: '/project/$ref/editor', params: { ref }, search: { schema } })
        }
        onDone={(id) =>
          void navigate({
            to: '/project/$ref/editor/$id',
            params: { ref, id: String(id) },
            search: { schema },
          })
        }
      />
    </>
  )
}
