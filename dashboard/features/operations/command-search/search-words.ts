/** What people put before the name of a thing. */
const verbs = new Set(
  'open edit show find go to query select from the table view function user bucket project switch'.split(
    ' ',
  ),
)

/** The name that is searched for in what was typed: `query table books` looks for books. */
export function searchedName(typed: string): string {
  const words = typed.trim().split(/\s+/)
  const first = words.findIndex((word) => !verbs.has(word.toLowerCase()))
  return first < 0 ? '' : words.slice(first).join(' ')
}
