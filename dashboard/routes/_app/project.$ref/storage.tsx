import { createFileRoute, useLocation } from '@tanstack/react-router'
import { UploadPanel } from '../../../features/storage/storage/files/UploadPanel.tsx'
import { usePreview } from '../../../session/telemetry/previews.ts'
import { storagePages } from '../../../shell/storage-places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** What a project stores: the second column, the page that is open, and what is being uploaded. */
export const Route = createFileRoute('/_app/project/$ref/storage')({
  staticData: { feature: 'project_storage:all' },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const preview = usePreview('new-storage-ui')
  const page = useLocation({ select: ({ pathname }) => pathname.split('/')[4] })
  // Both addresses open, whichever interface somebody has chosen: the column shows where one is.
  const files = page === 'files' || (page !== 'buckets' && preview)
  return (
    <>
      <SettingsLayout title="Storage" groups={storagePages(ref, files)} />
      <UploadPanel projectRef={ref} />
    </>
  )
}
