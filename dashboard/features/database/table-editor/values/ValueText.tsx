import { Fragment } from 'react'
import type { CellView } from '../../../../ui/grid/grid-types.ts'
import { numberText } from '../../../../ui/text/number.ts'
import { exactPieces } from './exact-text.ts'

/** A value outside the grid, with the same words for what is no value. */
export function ValueText({ view }: { view: CellView }) {
  if (view.look === 'auto') return <i className="nul">auto</i>
  if (view.text === null) return <i className="nul">NULL</i>
  if (view.text === '') return <i className="nul">EMPTY</i>
  return view.cut ? `${view.text.slice(0, 200)}…` : view.text
}

/** Characters of a value that are looked over; nobody reads more in a list. */
const max = 5_000

/** A value to be looked over: whole, over its lines, with signs for what cannot be seen of it. */
export function ExactText({ view }: { view: CellView }) {
  const { text } = view
  if (text === null || text === '' || view.look === 'auto' || view.cut)
    return <ValueText view={view} />
  return (
    <span className="exact">
      {exactPieces(text.slice(0, max)).map(({ text: plain, sign }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- pieces of one text, which have nothing else
        <Fragment key={at}>
          {sign === undefined ? plain : <span className="faint">{sign}</span>}
          {plain.includes('\n') && '\n'}
        </Fragment>
      ))}
      {text.length > max && (
        <i className="nul">{` and ${numberText(text.length - max)} more characters`}</i>
      )}
    </span>
  )
}
