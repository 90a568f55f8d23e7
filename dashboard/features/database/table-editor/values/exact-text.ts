/** A piece of a text: as it reads, or a sign for what cannot be seen. */
export type Piece = { text: string; sign?: string }

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
