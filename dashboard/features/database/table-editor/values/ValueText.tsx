import { Fragment } from 'react'
import type { CellView } from '../../../../ui/grid/grid-types.ts'
import { numberText } from '../../../../ui/text/number.ts'

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

/** A piece of a text: as it reads, or a sign for what cannot be seen. */
type Piece = { text: string; sign?: string }

const signs: Record<string, string> = {
  ' ': '·',
  '\t': '⇥',
  '\n': '↵',
  '\r': '␍',
  '\u00a0': '⍽',
  '\u200b': '⌷',
  '\ufeff': '⌷',
}
/** Blanks at the ends of lines and several in a row, and whatever else leaves no mark; a blank between words is seen. */
const unseen = /^ +| +$| {2,}|[\t\n\r\u00a0\u200b\ufeff]/gm

/** A text with signs for what cannot be seen of it; its pieces put together are the text again. */
export function exactPieces(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(unseen)) {
    if (index > from) pieces.push({ text: text.slice(from, index) })
    pieces.push({ text: found, sign: Array.from(found, (one) => signs[one] ?? '·').join('') })
    from = index + found.length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}
