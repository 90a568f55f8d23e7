import { lazy, Suspense, type ComponentProps } from 'react'
import type { CellPanel as Cell } from './CellPanel.tsx'
import type { ReviewPanel as Review } from './ReviewPanel.tsx'

const LazyCell = lazy(() => import('./CellPanel.tsx').then((m) => ({ default: m.CellPanel })))
const LazyReview = lazy(() => import('./ReviewPanel.tsx').then((m) => ({ default: m.ReviewPanel })))

/** Panels that rows are read and changed without; each is loaded when it is first opened. */
export const CellPanel = (props: ComponentProps<typeof Cell>) => (
  <Suspense>
    <LazyCell {...props} />
  </Suspense>
)
export const ReviewPanel = (props: ComponentProps<typeof Review>) => (
  <Suspense>
    <LazyReview {...props} />
  </Suspense>
)
