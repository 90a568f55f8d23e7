import { createFileRoute } from '@tanstack/react-router'
import { usePreview } from '../../../session/telemetry/previews.ts'
import { advisorPages, advisorRulePages } from '../../../shell/places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** What could be better about a project: the second column, and the page that is open. */
export const Route = createFileRoute('/_app/project/$ref/advisors')({ component: Page })

function Page() {
  const { ref } = Route.useParams()
  const rules = usePreview('supabase-ui-advisor-rules')
  const groups = [...advisorPages(ref), ...(rules ? advisorRulePages(ref) : [])]
  return <SettingsLayout title="Advisors" groups={groups} />
}
