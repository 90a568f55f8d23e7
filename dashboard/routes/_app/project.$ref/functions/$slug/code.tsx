import { createFileRoute } from '@tanstack/react-router'
import { CodePage } from '../../../../../features/functions/CodePage.tsx'

export const Route = createFileRoute('/_app/project/$ref/functions/$slug/code')({
  staticData: { title: 'Code', withoutDatabase: true },
  component: Page,
})

function Page() {
  const { ref, slug } = Route.useParams()
  return <CodePage projectRef={ref} slug={slug} />
}
