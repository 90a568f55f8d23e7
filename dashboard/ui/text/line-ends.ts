/** A text as a field holds it: browsers know one kind of line end. */
export const inField = (text: string): string => text.replace(/\r\n?/g, '\n')

/**
 * What a text has become when a field that showed it holds `typed` now. A field turns every line end into `\n`, so what
 * was left alone keeps the line ends it had; new lines get the kind that the text begins with.
 */
export function fromField(before: string, typed: string): string {
  const shown = inField(before)
  if (typed === shown) return before
  const kind = /\r\n?|\n/.exec(before)?.[0] ?? '\n'
  if (shown === before && kind === '\n') return typed
  const max = Math.min(shown.length, typed.length)
  let start = 0
  while (start < max && shown[start] === typed[start]) start += 1
  let end = 0
  while (end < max - start && shown[shown.length - 1 - end] === typed[typed.length - 1 - end])
    end += 1
  const places = placesOf(before)
  const kept =
    before.slice(0, places[start]) +
    typed.slice(start, typed.length - end).replaceAll('\n', kind) +
    before.slice(places[shown.length - end])
  // Two that stood apart could have become one.
  return inField(kept) === typed ? kept : typed.replaceAll('\n', kind)
}

/** Where each character of the field's text, and its end, stands in the text itself. */
function placesOf(text: string): number[] {
  const places: number[] = []
  for (let at = 0; at < text.length; at++) {
    places.push(at)
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1
  }
  return [...places, text.length]
}
