import { lazy, Suspense } from 'react'
import { usePanelParam } from './panel-param.ts'

const ApiDocsPanel = lazy(() =>
  import('./ApiDocsPanel.tsx').then((m) => ({ default: m.ApiDocsPanel })),
)

/** The documentation over any page of a project, while the address says so. */
export function ApiDocsGate({ projectRef }: { projectRef: string }) {
  const resource = usePanelParam()
  return resource === undefined ? null : (
    <Suspense>
      <ApiDocsPanel projectRef={projectRef} resource={resource} />
    </Suspense>
  )
}
