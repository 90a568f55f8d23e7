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

/**
 * The fields of a composite value as Postgres prints it, `(a,"b, c",)`: nothing at all is NULL, a pair of quotes is empty
 * text. Undefined when it is not written so, or has another number of fields.
 */
export function readComposite(text: string, count: number): (string | null)[] | undefined {
  const inside = /^\s*\((.*)\)\s*$/s.exec(text)?.[1]
  if (inside === undefined) return undefined
  const fields: (string | null)[] = []
  let at = 0
  for (;;) {
    const field = readField(inside, at)
    if (!field) return undefined
    fields.push(field.value)
    if (field.end === inside.length) return fields.length === count ? fields : undefined
    at = field.end + 1
  }
}

/** One field up to the comma behind it; quotes may begin and end anywhere in it. */
function readField(text: string, from: number) {
  let value = ''
  let quoted = false
  let at = from
  for (; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '\\') {
      if (at + 1 === text.length) return undefined
      at += 1
      value += text.charAt(at)
    } else if (sign === '"' && quoted && text.charAt(at + 1) === '"') {
      at += 1
      value += '"'
    } else if (sign === '"') quoted = !quoted
    else if (!quoted && sign === ',') break
    else if (!quoted && (sign === '(' || sign === ')')) return undefined
    else value += sign
  }
  if (quoted) return undefined
  return { value: at === from ? null : value, end: at }
}

/** What Postgres reads as these fields. */
export const writeComposite = (fields: readonly (string | null)[]) =>
  `(${fields.map(writeField).join(',')})`

function writeField(value: string | null): string {
  if (value === null) return ''
  const plain = value !== '' && !/[\s"\\(),]/.test(value)
  return plain ? value : `"${value.replace(/["\\]/g, '$&$&')}"`
}
