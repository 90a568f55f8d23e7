const longest = 63
const bytes = (text: string) => new TextEncoder().encode(text).length

/** Cut to so many bytes without splitting a character. */
function cut(text: string, max: number): string {
  let kept = ''
  let size = 0
  for (const character of text) {
    size += bytes(character)
    if (size > max) break
    kept += character
  }
  return kept
}

/**
 * The name that Postgres itself would give a constraint or index: `books_author_id_fkey`. What does not fit into 63
 * bytes is cut from the longer part; a name that is taken gets a number.
 */
export function objectName(
  table: string,
  columns: readonly string[],
  label: string,
  taken: ReadonlySet<string> = new Set(),
): string {
  for (let count = 0; ; count += 1) {
    const end = count === 0 ? label : `${label}${count}`
    const name = fitted(table, columns.join('_'), end)
    if (!taken.has(name)) return name
  }
}

function fitted(table: string, columns: string, label: string): string {
  const room = longest - bytes(label) - (columns === '' ? 1 : 2)
  let [first, second] = [bytes(table), bytes(columns)]
  while (first + second > room) {
    if (first > second) first -= 1
    else second -= 1
  }
  const parts = [cut(table, first), cut(columns, second), label]
  return parts.filter((part) => part !== '').join('_')
}
