import { createFileRoute, notFound } from '@tanstack/react-router'
import { useEffect } from 'react'
import { queryClient } from '../../../../api/client.ts'
import { logSourceTable } from '#contract/observability/log-sources'
import { rememberSource } from '../../../../features/observability/logs/last-source.ts'
import { LogsPage } from '../../../../features/observability/logs/LogsPage.tsx'
import { aboutQuery } from '../../../../modules/logs/asked.ts'
import { logParams } from '../../../../features/observability/logs/question.ts'
import { sourceOf } from '../../../../features/observability/logs/sources.ts'
import { useWindowName } from '../../../../session/window-name.ts'

/** One source. What it holds is asked for when somebody looks, and not for every link that is pointed at. */
export const Route = createFileRoute('/_app/project/$ref/logs/$source')({
  staticData: { title: 'Logs', feature: 'logs:collections' },
  validateSearch: logParams,
  beforeLoad: ({ params }) => {
    const source = sourceOf(params.source)
    if (!source) throw notFound()
    return { source }
  },
  loader: ({ params: { ref } }) => void queryClient.prefetchQuery(aboutQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { source } = Route.useRouteContext()
  const navigate = Route.useNavigate()
  useWindowName(logSourceTable[source].title)
  useEffect(() => rememberSource(ref, source), [ref, source])
  return (
    <LogsPage
      projectRef={ref}
      source={source}
      params={Route.useSearch()}
      // A list that is asked anew begins at its top, and not where one like it was left.
      onParams={(next) =>
        void navigate({ search: logParams(next), replace: true, resetScroll: false })
      }
    />
  )
}
