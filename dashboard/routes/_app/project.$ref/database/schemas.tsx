import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { diagramQuery, layoutQuery } from '../../../../features/database/visualizer/queries.ts'
import { VisualizerPage } from '../../../../features/database/visualizer/VisualizerPage.tsx'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('schema')

export const Route = createFileRoute('/_app/project/$ref/database/schemas')({
  staticData: { title: 'Schema visualizer' },
  validateSearch: readSearch,
  loaderDeps: ({ search: { schema = 'public' } }) => ({ schema }),
  loader: ({ params: { ref }, deps: { schema } }) => {
    // Shown where they are missing; neither holds up the page.
    void queryClient.prefetchQuery(diagramQuery(ref, schema))
    void queryClient.prefetchQuery(layoutQuery(ref, schema))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { schema = 'public' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <VisualizerPage
      projectRef={ref}
      schema={schema}
      onSchema={(next) => void navigate({ search: { schema: next }, replace: true })}
    />
  )
}
