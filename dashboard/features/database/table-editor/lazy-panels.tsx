import { lazy, Suspense, type ComponentProps } from 'react'
import type { CellPanel as Cell } from './grid/CellPanel.tsx'
import type { ImportPanelProps } from './import/ImportPanel.tsx'
import type { DuplicateRow as Duplicate } from './rows/DuplicateRow.tsx'
import type { JsonPanel as Json } from './values/JsonPanel.tsx'
import type { PeekPanel as Peek } from './grid/PeekPanel.tsx'
import type { ReviewPanel as Review } from './rows/ReviewPanel.tsx'
import type { RowPanel as Row } from './rows/RowPanel.tsx'

const LazyCell = lazy(() => import('./grid/CellPanel.tsx').then((m) => ({ default: m.CellPanel })))
const LazyReview = lazy(() =>
  import('./rows/ReviewPanel.tsx').then((m) => ({ default: m.ReviewPanel })),
)
const LazyDuplicate = lazy(() =>
  import('./rows/DuplicateRow.tsx').then((m) => ({ default: m.DuplicateRow })),
)
const LazyJson = lazy(() =>
  import('./values/JsonPanel.tsx').then((m) => ({ default: m.JsonPanel })),
)
const LazyImport = lazy(() =>
  import('./import/ImportPanel.tsx').then((m) => ({ default: m.ImportPanel })),
)
const LazyPeek = lazy(() => import('./grid/PeekPanel.tsx').then((m) => ({ default: m.PeekPanel })))
const LazyRow = lazy(() => import('./rows/RowPanel.tsx').then((m) => ({ default: m.RowPanel })))

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

/** The form that reads a file into a table; loaded when it is first opened. */
export const ImportPanel = (props: ImportPanelProps) => (
  <Suspense>
    <LazyImport {...props} />
  </Suspense>
)
