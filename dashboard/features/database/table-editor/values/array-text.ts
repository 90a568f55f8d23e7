/**
 * The items of an array of one dimension as Postgres prints it, `{a,"b, c",NULL}`. Undefined when it is written another
 * way: several dimensions, or places that do not begin with 1.
 */
export function readArray(text: string): (string | null)[] | undefined {
  const inside = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1]
  if (inside === undefined) return undefined
  if (inside.trim() === '') return []
  const items: (string | null)[] = []
  let at = 0
  for (;;) {
    item.lastIndex = at
    const [whole, quoted, plain] = item.exec(inside) ?? []
    if (whole === undefined) return undefined
    if (quoted !== undefined) items.push(unescaped(quoted))
    else if (plain) items.push(/^null$/i.test(plain) ? null : unescaped(plain))
    else return undefined
    at += whole.length
    if (at === inside.length) return items
    if (inside.charAt(at) !== ',') return undefined
    at += 1
  }
}

const item = /\s*(?:"((?:[^"\\]|\\.)*)"|((?:[^",{}\\\s]|\\.|\s+(?=[^\s,]))*))\s*(?=,|$)/sy

const unescaped = (text: string) => text.replaceAll(/\\(.)/gs, '$1')

/** The same text that Postgres prints for these items. */
export const writeArray = (items: readonly (string | null)[]) =>
  `{${items.map((one) => (one === null ? 'NULL' : quoted(one))).join(',')}}`

const quoted = (text: string) =>
  text === '' || /^null$/i.test(text) || /["\\{},\s]/.test(text)
    ? `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
    : text

/** With an item in another place. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const [one] = items.slice(from, from + 1)
  if (one === undefined || to < 0 || to >= items.length) return [...items]
  return items.toSpliced(from, 1).toSpliced(to, 0, one)
}
