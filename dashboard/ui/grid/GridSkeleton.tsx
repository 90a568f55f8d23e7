import { Skeleton } from '../Skeleton.tsx'
import './grid.css'

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
