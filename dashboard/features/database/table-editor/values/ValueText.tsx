import type { CellView } from '../../../../ui/grid/grid-types.ts'

/** A value outside the grid, with the same words for what is no value. */
export function ValueText({ view }: { view: CellView }) {
  if (view.look === 'auto') return <i className="nul">auto</i>
  if (view.text === null) return <i className="nul">NULL</i>
  if (view.text === '') return <i className="nul">EMPTY</i>
  return view.cut ? `${view.text.slice(0, 200)}…` : view.text
}
