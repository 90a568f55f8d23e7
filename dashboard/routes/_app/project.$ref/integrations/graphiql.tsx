import { createFileRoute } from '@tanstack/react-router'
import { GraphqlPage } from '../../../../features/data-api/graphql/GraphqlPage.tsx'
import { loadTextBox } from '../../../../features/data-api/graphql/GraphqlText.tsx'

export const Route = createFileRoute('/_app/project/$ref/integrations/graphiql')({
  staticData: { title: 'GraphiQL' },
  loader: () => void loadTextBox(),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <GraphqlPage key={ref} projectRef={ref} />
}
