/** A JavaScript string literal. */
export const jsText = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`

/** A key of an object literal: in quotes only where it must be. */
const jsKey = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : jsText(key))

/** A value as JavaScript source, its objects on lines of their own. */
export function jsValue(value: unknown, indent = ''): string {
  if (typeof value === 'string') return jsText(value)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    const items = value.map((item) => `${indent}  ${jsValue(item, `${indent}  `)},`)
    return ['[', ...items, `${indent}]`].join('\n')
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0) return '{}'
    const parts = entries.map(([key, one]) => `${jsKey(key)}: ${jsValue(one, `${indent}  `)}`)
    const short = `{ ${parts.join(', ')} }`
    if (short.length + indent.length <= 72 && !short.includes('\n')) return short
    return ['{', ...parts.map((part) => `${indent}  ${part},`), `${indent}}`].join('\n')
  }
  return String(value)
}

/** A word for a POSIX shell, in single quotes. */
export const shellText = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A name in the path or query of an address; a comma means nothing there and reads better as it is. */
export const urlText = (text: string): string =>
  encodeURIComponent(text).replaceAll("'", '%27').replaceAll('%2C', ',')

/** A column where the data API expects one: in quotes where a sign of its grammar or a space is in it. */
export const fieldText = (name: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? name
    : `"${name.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`

/** What the client library puts into a path as it is: encoded where a sign means something in an address. */
export const pathText = (name: string): string =>
  /^[\p{L}\p{N}_ -]+$/u.test(name) ? name : encodeURIComponent(name)
