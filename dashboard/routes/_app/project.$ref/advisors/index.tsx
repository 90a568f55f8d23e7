import { createFileRoute, Navigate } from '@tanstack/react-router'
import { usePreview, loadPreviews } from '../../../../session/telemetry/previews.ts'

/** Where Advisors leads: to its rules while their preview is on (requirements §1), else to what they have found. */
export const Route = createFileRoute('/_app/project/$ref/advisors/')({
  loader: ({ params: { ref }, preload }) => loadPreviews(ref, preload),
  component: Page,
})

function Page() {
  const rules = usePreview('supabase-ui-advisor-rules')
  const to = rules ? '/project/$ref/advisors/rules/security' : '/project/$ref/advisors/security'
  return <Navigate to={to} params={{ ref: Route.useParams().ref }} replace />
}
