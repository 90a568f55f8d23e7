import { createFileRoute } from '@tanstack/react-router'
import { TemplatesPage } from '../../../features/database/sql-editor/snippets/TemplatesPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/sql/quickstarts')({
  staticData: { title: 'Quickstarts' },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <TemplatesPage projectRef={ref} group="quickstarts" />
}
