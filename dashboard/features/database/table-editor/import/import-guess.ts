/** What a column's texts look like, from the narrowest type to the widest. */
const forms: { type: string; fits: (text: string) => boolean }[] = [
  { type: 'bool', fits: (text) => /^(?:true|false|t|f|yes|no)$/i.test(text) },
  {
    type: 'int8',
    // Leading zeros are part of a number that is none, as a postal code.
    fits: (text) => /^-?(?:0|[1-9]\d{0,17})$/.test(text),
  },
  { type: 'numeric', fits: (text) => /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) },
  {
    type: 'float8',
    fits: (text) => /^-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && !/^-?0\d/.test(text),
  },
  {
    type: 'uuid',
    fits: (text) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text),
  },
  { type: 'date', fits: (text) => /^\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])$/.test(text) },
  {
    type: 'timestamptz',
    fits: (text) =>
      /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text),
  },
  {
    type: 'timestamp',
    fits: (text) => /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text),
  },
  { type: 'jsonb', fits: isDocument },
]

function isDocument(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The narrowest type that takes every value seen; text when there is none, or no value at all. */
export function guessType(values: readonly string[]): string {
  const given = values.filter((value) => value !== '')
  if (given.length === 0) return 'text'
  return forms.find(({ fits }) => given.every(fits))?.type ?? 'text'
}

export const delimiters = [',', '\t', ';', '|'] as const
export type Delimiter = (typeof delimiters)[number]

/** The sign that stands outside of quotes in the first line most often. */
export function guessDelimiter(text: string): Delimiter {
  const [line = ''] = text.replace(/"(?:[^"]|"")*"/g, '').split(/\r?\n/, 1)
  const counts = delimiters.map((sign) => ({ sign, count: line.split(sign).length }))
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a))
  return best.count > 1 ? best.sign : ','
}

/** Heads say nothing that could be a value of the column below: no numbers, no blanks, nothing twice. */
export function guessHeader(rows: readonly (readonly string[])[]): boolean {
  const [first = []] = rows
  if (first.length === 0) return true
  const names = new Set(first)
  return (
    names.size === first.length &&
    first.every((text) => text !== '' && guessType([text]) === 'text')
  )
}

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** For each column of the file the column of the table that is called like it, each at most once. */
export function matchColumns(
  heads: readonly string[],
  columns: readonly string[],
): (string | null)[] {
  const left = new Set(columns)
  const take = (name: string | undefined) => {
    if (name === undefined || !left.has(name)) return null
    left.delete(name)
    return name
  }
  const exact = heads.map((head) => take(left.has(head) ? head : undefined))
  return exact.map(
    (name, at) => name ?? take([...left].find((one) => plain(one) === plain(heads[at] ?? ''))),
  )
}

const encoder = new TextEncoder()

/** Names that a new table's columns can have: none empty, none twice, none beyond what Postgres takes. */
export function columnNames(heads: readonly string[]): string[] {
  const taken = new Set<string>()
  return heads.map((head, at) => {
    let base = head.trim().replaceAll('\0', '') || `column_${at + 1}`
    while (encoder.encode(base).length > 59) base = Array.from(base).slice(0, -1).join('')
    let name = base
    for (let again = 2; taken.has(name); again++) name = `${base}_${again}`
    taken.add(name)
    return name
  })
}
