import { lazy, Suspense } from 'react'
import { Skeleton } from '../Skeleton.tsx'
import type { DataGridProps } from './grid-types.ts'
import './grid.css'

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

const widths = [64, 120, 88, 140, 96]
const rows = Array.from({ length: 12 }, (_, row) => row)

/** Bars in the shape of a grid, so that nothing jumps when it comes. */
export function GridSkeleton() {
  return (
    <div className="grid-box grid-wait" aria-busy>
      <progress className="sr" aria-label="Loading rows" />
      <div className="grid-wait-head" />
      {rows.map((row) => (
        <div className="grid-wait-row" key={row}>
          {widths.map((width, column) => (
            <Skeleton key={width} width={width - ((row * 7 + column * 13) % 32)} />
          ))}
        </div>
      ))}
    </div>
  )
}
