import { createFileRoute, Navigate } from '@tanstack/react-router'
import { usePreview, loadPreviews } from '../../../../session/telemetry/previews.ts'

/** Where Storage leads: to the new interface while its preview is on (requirements §1), else to the buckets. */
export const Route = createFileRoute('/_app/project/$ref/storage/')({
  loader: ({ params: { ref }, preload }) => loadPreviews(ref, preload),
  component: Page,
})

function Page() {
  const files = usePreview('new-storage-ui')
  const to = files ? '/project/$ref/storage/files' : '/project/$ref/storage/buckets'
  return <Navigate to={to} params={{ ref: Route.useParams().ref }} replace />
}
