import { lazy, Suspense } from 'react'
import type { DialogProps } from './DialogBox.tsx'

const DialogBox = lazy(() => import('./DialogBox.tsx').then((m) => ({ default: m.DialogBox })))

/** A dialog in the middle of the window. The page behind it cannot be used meanwhile. */
export function Dialog({ open, ...dialog }: DialogProps & { open: boolean }) {
  return open ? (
    <Suspense>
      <DialogBox {...dialog} />
    </Suspense>
  ) : null
}
