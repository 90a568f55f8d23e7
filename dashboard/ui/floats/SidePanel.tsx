import { lazy, Suspense } from 'react'
import type { SidePanelProps } from './SidePanelBox.tsx'

const SidePanelBox = lazy(() =>
  import('./SidePanelBox.tsx').then((m) => ({ default: m.SidePanelBox })),
)

/** A panel that slides in from the right, over the page. */
export function SidePanel({ open, ...panel }: SidePanelProps & { open: boolean }) {
  return open ? (
    <Suspense>
      <SidePanelBox {...panel} />
    </Suspense>
  ) : null
}
