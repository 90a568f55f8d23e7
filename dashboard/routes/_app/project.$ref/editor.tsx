import { createFileRoute, Outlet, useParams } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { EditorLayout } from '../../../features/database/table-editor/EditorLayout.tsx'
import { entitiesQuery, schemasQuery } from '../../../features/database/table-editor/queries.ts'
import { preloadGrid } from '../../../ui/grid/DataGrid.tsx'
import { textParams } from '../../../session/search-params.ts'

const readSearch = textParams('schema')

/** The table editor: the list of tables, and whatever is open beside it. */
export const Route = createFileRoute('/_app/project/$ref/editor')({
  staticData: { title: 'Table editor' },
  validateSearch: readSearch,
  loaderDeps: ({ search: { schema = 'public' } }) => ({ schema }),
  loader: async ({ params: { ref }, deps: { schema } }) => {
    void preloadGrid()
    // What fails here is shown in the list, with a way to try again. A list that is there is refreshed where it stands.
    const entities = entitiesQuery(ref, schema, '')
    const known = queryClient.getQueryData(entities.queryKey) !== undefined
    await Promise.all([
      queryClient.prefetchQuery(schemasQuery(ref)),
      ...(known ? [] : [queryClient.prefetchInfiniteQuery(entities)]),
    ])
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { schema = 'public' } = Route.useSearch()
  const { id } = useParams({ strict: false })
  const navigate = Route.useNavigate()
  return (
    <EditorLayout
      projectRef={ref}
      schema={schema}
      openId={id === undefined ? undefined : Number(id)}
      onSchema={(next) =>
        void navigate({ to: '/project/$ref/editor', params: { ref }, search: { schema: next } })
      }
    >
      <Outlet />
    </EditorLayout>
  )
}
