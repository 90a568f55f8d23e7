/** A type to be written. What is `hard` is always broken over lines; all else only where its line would be too long. */
export type Shape =
  | string
  | { object: readonly (readonly [key: string, shape: Shape])[]; hard?: boolean; after?: string }
  | { union: readonly Shape[] }
  | { tuple: readonly Shape[] }

const lineWidth = 80
const space = (indent: number) => ' '.repeat(indent)

/** A text between the quotes that need fewer escapes. */
export function quoted(text: string): string {
  const json = JSON.stringify(text)
  const doubles = text.split('"').length
  if (doubles <= text.split("'").length) return json
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** A name as the key of an object: quoted only when it must be. */
export const keyOf = (name: string) =>
  /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : quoted(name)

/** On one line; undefined when that is not wanted. */
function flat(shape: Shape): string | undefined {
  if (typeof shape === 'string') return shape
  if ('object' in shape) {
    if (shape.hard && shape.object.length > 0) return undefined
    if (shape.object.length === 0) return `{}${shape.after ?? ''}`
    const members = shape.object.map(([key, of]) => [key, flat(of)] as const)
    if (members.some(([, of]) => of === undefined)) return undefined
    return `{ ${members.map(([key, of]) => `${key}: ${of}`).join('; ')} }${shape.after ?? ''}`
  }
  const parts = ('union' in shape ? shape.union : shape.tuple).map(flat)
  if (parts.includes(undefined)) return undefined
  return 'union' in shape ? parts.join(' | ') : `[${parts.join(', ')}]`
}

/** `key: shape`, from a line that is indented so far. */
export function member(key: string, shape: Shape, indent: number): string {
  const line = flat(shape)
  if (line !== undefined && indent + key.length + 2 + line.length <= lineWidth)
    return `${space(indent)}${key}: ${line}`
  if (typeof shape !== 'string' && 'union' in shape) {
    const parts = shape.union.map((part) => `${space(indent + 2)}| ${broken(part, indent + 4)}`)
    return [`${space(indent)}${key}:`, ...parts].join('\n')
  }
  return `${space(indent)}${key}: ${always(shape, indent)}`
}

/** A part of a union: on one line when it fits. */
function broken(shape: Shape, indent: number): string {
  const line = flat(shape)
  return line !== undefined && indent + line.length <= lineWidth ? line : always(shape, indent)
}

function always(shape: Shape, indent: number): string {
  if (typeof shape === 'string') return shape
  if ('object' in shape) {
    const members = shape.object.map(([key, of]) => member(key, of, indent + 2))
    return ['{', ...members, `${space(indent)}}${shape.after ?? ''}`].join('\n')
  }
  if ('tuple' in shape) {
    const parts = shape.tuple.map((part) => `${space(indent + 2)}${broken(part, indent + 2)},`)
    return ['[', ...parts, `${space(indent)}]`].join('\n')
  }
  return flat(shape) ?? ''
}
