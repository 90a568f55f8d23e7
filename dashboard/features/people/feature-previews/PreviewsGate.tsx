import { lazy, Suspense } from 'react'
import { usePreviewParam } from './preview-param.ts'

const PreviewsDialog = lazy(() =>
  import('./PreviewsDialog.tsx').then((m) => ({ default: m.PreviewsDialog })),
)

/** Opens the feature previews when the address says so. */
export function PreviewsGate() {
  const requested = usePreviewParam()
  return requested === undefined ? null : (
    <Suspense>
      <PreviewsDialog requested={requested} />
    </Suspense>
  )
}
