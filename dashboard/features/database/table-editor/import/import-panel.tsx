import { lazy, Suspense } from 'react'
import type { ImportPanelProps } from './ImportPanel.tsx'

const Lazy = lazy(() => import('./ImportPanel.tsx').then((m) => ({ default: m.ImportPanel })))

/** The form that reads a file into a table; loaded when it is first opened. */
export const ImportPanel = (props: ImportPanelProps) => (
  <Suspense>
    <Lazy {...props} />
  </Suspense>
)
