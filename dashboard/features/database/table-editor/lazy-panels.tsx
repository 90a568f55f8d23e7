import { lazy, Suspense, type ComponentProps } from 'react'
import type { CellPanel as Cell } from './CellPanel.tsx'
import type { DuplicateRow as Duplicate } from './DuplicateRow.tsx'
import type { JsonPanel as Json } from './JsonPanel.tsx'
import type { PeekPanel as Peek } from './PeekPanel.tsx'
import type { ReviewPanel as Review } from './ReviewPanel.tsx'
import type { RowPanel as Row } from './RowPanel.tsx'

const LazyCell = lazy(() => import('./CellPanel.tsx').then((m) => ({ default: m.CellPanel })))
const LazyReview = lazy(() => import('./ReviewPanel.tsx').then((m) => ({ default: m.ReviewPanel })))
const LazyDuplicate = lazy(() =>
  import('./DuplicateRow.tsx').then((m) => ({ default: m.DuplicateRow })),
)
const LazyJson = lazy(() => import('./JsonPanel.tsx').then((m) => ({ default: m.JsonPanel })))
const LazyPeek = lazy(() => import('./PeekPanel.tsx').then((m) => ({ default: m.PeekPanel })))
const LazyRow = lazy(() => import('./RowPanel.tsx').then((m) => ({ default: m.RowPanel })))

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
export const DuplicateRow = (props: ComponentProps<typeof Duplicate>) => (
  <Suspense>
    <LazyDuplicate {...props} />
  </Suspense>
)
export const JsonPanel = (props: ComponentProps<typeof Json>) => (
  <Suspense>
    <LazyJson {...props} />
  </Suspense>
)
export const PeekPanel = (props: ComponentProps<typeof Peek>) => (
  <Suspense>
    <LazyPeek {...props} />
  </Suspense>
)
export const RowPanel = (props: ComponentProps<typeof Row>) => (
  <Suspense>
    <LazyRow {...props} />
  </Suspense>
)
