import { createFileRoute } from '@tanstack/react-router'
import { CreateTablePanel } from '../../../../features/table-editor/CreateTablePanel.tsx'
import { NoTable } from '../../../../features/table-editor/NoTable.tsx'

export const Route = createFileRoute('/_app/project/$ref/editor/new')({ component: Page })

function Page() {
  const { ref } = Route.useParams()
  const { schema = 'public' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <>
      <NoTable projectRef={ref} schema={schema} />
      <CreateTablePanel
        projectRef={ref}
        schema={schema}
        onClose={() =>
          void navigate({ to: '/project/$ref/editor', params: { ref }, search: { schema } })
        }
        onCreated={(id) =>
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
