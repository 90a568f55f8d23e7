import { createFileRoute, Navigate } from '@tanstack/react-router'
import { api } from '#contract/api'
import { q, queryClient } from '../../../../api/client.ts'
import { flagsQuery } from '../../../../session/flags.ts'
import { organizationsQuery } from '../../../../session/organizations.ts'
import { loadProject } from '../../../../session/project.ts'
import { usePreview } from '../../../../session/previews.ts'

/** Where Storage leads: to the new interface while its preview is on (requirements §1), else to the buckets. */
export const Route = createFileRoute('/_app/project/$ref/storage/')({
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
  const files = usePreview('new-storage-ui')
  const to = files ? '/project/$ref/storage/files' : '/project/$ref/storage/buckets'
  return <Navigate to={to} params={{ ref: Route.useParams().ref }} replace />
}
