import { createFileRoute, notFound } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { ColumnsPage } from '../../../../features/database/tables/ColumnsPage.tsx'
import { shapeQuery } from '../../../../modules/tables/table-queries.ts'

/** The columns of one table, by the id its database gives it. */
export const Route = createFileRoute('/_app/project/$ref/database/tables/$id')({
  staticData: { title: 'Columns' },
  loader: ({ params: { ref, id } }) => {
    if (!/^\d{1,10}$/.test(id)) throw notFound()
    void queryClient.prefetchQuery(shapeQuery(ref, Number(id)))
  },
  component: Page,
})

function Page() {
  const { ref, id } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <ColumnsPage
      key={id}
      projectRef={ref}
      tableId={Number(id)}
      onDeleted={(schema) =>
        navigate({ to: '/project/$ref/database/tables', params: { ref }, search: { schema } })
      }
    />
  )
}
