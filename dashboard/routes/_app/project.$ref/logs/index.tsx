import { createFileRoute, Navigate } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { lastSource } from '../../../../features/observability/logs/last-source.ts'
import { logParams } from '../../../../features/observability/logs/question.ts'
import { slugOf } from '../../../../features/observability/logs/sources.ts'
import { UnifiedLogsPage } from '../../../../features/observability/logs/unified/UnifiedLogsPage.tsx'
import { aboutQuery } from '../../../../modules/logs/asked.ts'
import { unifiedLogs } from '../../../../session/telemetry/preview-list.ts'
import { loadPreviews, usePreview } from '../../../../session/telemetry/previews.ts'
import { useWindowName } from '../../../../session/window-name.ts'

/** All sources in one list while its preview is on (requirements §5), else the source that was open last. */
export const Route = createFileRoute('/_app/project/$ref/logs/')({
  staticData: { title: 'Logs', feature: 'logs:collections' },
  validateSearch: logParams,
  async loader({ params: { ref }, preload }) {
    void queryClient.prefetchQuery(aboutQuery(ref))
    await loadPreviews(ref, preload)
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const isOn = usePreview(unifiedLogs)
  if (isOn) return <Unified />
  const source = slugOf(lastSource(ref))
  // What stands in the address goes along: a dialog may be open that it names.
  return <Navigate to="/project/$ref/logs/$source" params={{ ref, source }} search replace />
}

function Unified() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  useWindowName('All logs')
  return (
    <UnifiedLogsPage
      projectRef={ref}
      params={Route.useSearch()}
      onParams={(next) =>
        void navigate({ search: logParams(next), replace: true, resetScroll: false })
      }
    />
  )
}
