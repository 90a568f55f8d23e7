import { createFileRoute, Navigate } from '@tanstack/react-router'
import { api } from '#contract/api'
import { q, queryClient } from '../../../../api/client.ts'
import { flagsQuery } from '../../../../session/flags.ts'
import { organizationsQuery } from '../../../../session/organizations.ts'
import { loadProject } from '../../../../session/project.ts'
import { usePreview } from '../../../../session/previews.ts'

/** Where Advisors leads: to its rules while their preview is on (requirements §1), else to what they have found. */
export const Route = createFileRoute('/_app/project/$ref/advisors/')({
  loader: async ({ params: { ref }, preload }) => {
    const { organization_slug } = await loadProject(ref, { preload })
    // All that decides whether the preview is on.
    await Promise.all([
      queryClient.ensureQueryData(flagsQuery(organization_slug)),
      queryClient.ensureQueryData(organizationsQuery),
      queryClient.ensureQueryData(q(api.platform.status, {})),
    ])
  },
  component: Page,
})

function Page() {
  const rules = usePreview('supabase-ui-advisor-rules')
  const to = rules ? '/project/$ref/advisors/rules/security' : '/project/$ref/advisors/security'
  return <Navigate to={to} params={{ ref: Route.useParams().ref }} replace />
}
