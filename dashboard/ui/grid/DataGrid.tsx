import { lazy, Suspense } from 'react'
import { GridSkeleton } from './GridSkeleton.tsx'
import type { DataGridProps } from './grid-types.ts'

const GridBox = lazy(() => import('./GridBox.tsx').then((m) => ({ default: m.GridBox })))

/** Any number of rows and columns: selected, copied, pasted, edited and walked through with the keyboard. */
export function DataGrid(props: DataGridProps) {
  return (
    <Suspense fallback={<GridSkeleton />}>
      <GridBox {...props} />
    </Suspense>
  )
}

/** Starts loading the grid's code, for pages that will need it. */
export const preloadGrid = () => import('./GridBox.tsx').then(() => undefined)
