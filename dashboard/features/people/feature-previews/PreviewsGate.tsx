import { lazy, Suspense } from 'react'
import { usePreviewParam } from './preview-param.ts'

const PreviewsDialog = lazy(() =>
  import('./PreviewsDialog.tsx').then((m) => ({ default: m.PreviewsDialog })),
)

/** Opens the feature previews when the address says so. */
export function PreviewsGate() {
  const wanted = usePreviewParam()
  return wanted === undefined ? null : (
    <Suspense>
      <PreviewsDialog wanted={wanted} />
    </Suspense>
  )
}
