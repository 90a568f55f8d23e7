import { createFileRoute } from '@tanstack/react-router'
import { TemplatesPage } from '../../../../../features/observability/logs-explorer/TemplatesPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/logs/explorer/templates')({
  staticData: { title: 'Logs templates', feature: 'logs:templates' },
  component: Page,
})

function Page() {
  return <TemplatesPage projectRef={Route.useParams().ref} />
}
