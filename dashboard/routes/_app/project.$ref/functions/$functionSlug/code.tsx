import { createFileRoute } from '@tanstack/react-router'
import { CodePage } from '../../../../../features/functions/functions/CodePage.tsx'

export const Route = createFileRoute('/_app/project/$ref/functions/$functionSlug/code')({
  staticData: { title: 'Code', withoutDatabase: true },
  component: Page,
})

function Page() {
  const { ref, functionSlug } = Route.useParams()
  return <CodePage projectRef={ref} slug={functionSlug} />
}
