import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { CallError, queryClient } from '../../../../api/client.ts'
import { unknownConditions } from '../../../../features/database/table-editor/filters/known-conditions.ts'
import {
  lastTable,
  rememberTable,
} from '../../../../features/database/table-editor/entities/last-table.ts'
import {
  countQuery,
  entityQuery,
  rowsQuery,
} from '../../../../features/database/table-editor/queries.ts'
import { readSearch, viewOf } from '../../../../features/database/table-editor/search.ts'
import { TablePage } from '../../../../features/database/table-editor/TablePage.tsx'

/** One table, by the id its database gives it. */
export const Route = createFileRoute('/_app/project/$ref/editor/$id')({
  validateSearch: readSearch,
  loaderDeps: ({ search }) => ({ search }),
  loader: async ({ params: { ref, id }, deps: { search }, preload }) => {
    if (!/^\d{1,10}$/.test(id)) throw notFound()
    const entityId = Number(id)
    const entity = await queryClient
      .ensureQueryData(entityQuery(ref, entityId))
      .catch((error: unknown) => {
        if (!(error instanceof CallError) || error.code !== 404) throw error
        if (lastTable(ref) === id) rememberTable(ref, undefined)
        throw notFound()
      })
    if ((search.schema ?? 'public') !== entity.schema) {
      // The list beside it is the one that it stands in.
      throw redirect({
        to: '/project/$ref/editor/$id',
        params: { ref, id },
        search: { ...search, schema: entity.schema },
        replace: true,
      })
    }
    if (!preload) rememberTable(ref, id)
    const view = viewOf(search, entity.columns)
    if (unknownConditions(ref, view.filters).length > 0) return
    // Both are shown where they are missing; neither holds up the page.
    void queryClient.prefetchQuery(rowsQuery(ref, entityId, view))
    void queryClient.prefetchQuery(countQuery(ref, entityId, view.filters, false))
  },
  component: Page,
})

function Page() {
  const { ref, id } = Route.useParams()
  const { schema, ...search } = Route.useSearch()
  const navigate = Route.useNavigate()
  const ofSchema = schema === undefined ? {} : { schema }
  return (
    <TablePage
      key={id}
      projectRef={ref}
      entityId={Number(id)}
      search={search}
      onSearch={(next) => void navigate({ search: { ...ofSchema, ...next } })}
      onDeleted={() => {
        rememberTable(ref, undefined)
        return navigate({ to: '/project/$ref/editor', params: { ref }, search: ofSchema })
      }}
    />
  )
}
