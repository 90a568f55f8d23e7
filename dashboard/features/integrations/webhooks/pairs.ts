/** A header or a parameter as its row in the form holds it. */
export type Pair = { id: string; name: string; value: string }

let count = 0
export const pair = (name = '', value = ''): Pair => ({ id: `pair-${(count += 1)}`, name, value })

export const jsonHeader = () => pair('Content-Type', 'application/json')

/** What the function of webhooks takes for nothing. */
export const isLeftOut = (text: string | undefined): text is undefined | 'null' =>
  text === undefined || text === 'null'

export const headersIn = (text: string | undefined) =>
  isLeftOut(text) ? [jsonHeader()] : pairsIn(text)
export const paramsIn = (text: string | undefined) => (isLeftOut(text) ? [] : pairsIn(text))

/** A JSON object of plain values as rows; undefined when it is something else. */
function pairsIn(text: string): Pair[] | undefined {
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined
    const entries = Object.entries(read as Record<string, unknown>)
    if (entries.some(([, value]) => typeof value === 'object')) return undefined
    return entries.map(([name, value]) => pair(name, String(value)))
  } catch {
    return undefined
  }
}

/** Rows that nothing was typed into are none. */
export const filled = (pairs: readonly Pair[]) =>
  pairs.filter(({ name, value }) => name.trim() !== '' || value !== '')

export const textOfPairs = (pairs: readonly Pair[]): string =>
  JSON.stringify(Object.fromEntries(filled(pairs).map(({ name, value }) => [name.trim(), value])))

/** RFC 9110 §5.6.2 */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/
/** RFC 9110 §5.5, as bytes that Latin-1 has */
const headerValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

type RowProblems = Record<string, string>

/** What is wrong with which row, by its id; undefined when nothing is. */
function problemsOfRows(
  pairs: readonly Pair[],
  key: (name: string) => string,
  problemOf: (row: Pair) => string | undefined,
): RowProblems | undefined {
  const found: RowProblems = {}
  const seen = new Set<string>()
  for (const row of filled(pairs)) {
    const name = key(row.name.trim())
    const wrong =
      name === ''
        ? 'Give it a name'
        : (problemOf(row) ?? (seen.has(name) ? 'This name already exists' : undefined))
    seen.add(name)
    if (wrong) found[row.id] = wrong
  }
  return Object.keys(found).length > 0 ? found : undefined
}

export const problemsOfHeaders = (pairs: readonly Pair[]) =>
  problemsOfRows(
    pairs,
    (name) => name.toLowerCase(),
    ({ name, value }) => {
      if (!headerName.test(name.trim())) return 'A header is named with letters, digits and -'
      return headerValue.test(value) ? undefined : 'A header has one line of plain text'
    },
  )

export const problemsOfParams = (pairs: readonly Pair[]) =>
  problemsOfRows(
    pairs,
    (name) => name,
    ({ name, value }) => (`${name}${value}`.includes('\0') ? 'It has a NUL character' : undefined),
  )
