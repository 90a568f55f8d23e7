/** A part of a parse tree: one property that names its kind, and in it what it is made of. */
export type Fields = Readonly<Record<string, unknown>>

/** What this writer has no words for: the tree is refused rather than written as something else. */
export class UnknownNode extends Error {}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function fieldsOf(value: unknown): Fields {
  if (isFields(value)) return value
  throw new UnknownNode('a part that is no object')
}

/** Kind and contents of a node. */
export function kindOf(value: unknown): [kind: string, fields: Fields] {
  const [entry, ...more] = Object.entries(fieldsOf(value))
  if (!entry || more.length > 0) throw new UnknownNode('a part without a kind')
  return [entry[0], fieldsOf(entry[1])]
}

export function text(fields: Fields, name: string): string {
  const value = fields[name]
  if (value === undefined) return ''
  if (typeof value !== 'string') throw new UnknownNode(`${name} that is no text`)
  return value
}

export const list = (fields: Fields, name: string): readonly unknown[] => {
  const value = fields[name]
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new UnknownNode(`${name} that is no list`)
  return value
}

/** The text of a String node. */
export function nameOf(value: unknown): string {
  const [kind, fields] = kindOf(value)
  if (kind !== 'String') throw new UnknownNode(kind)
  return text(fields, 'sval')
}

/** A number, which is left out of the tree where it is 0. */
export function number(fields: Fields, name: string): number {
  const value = fields[name] ?? 0
  if (typeof value !== 'number') throw new UnknownNode(`${name} that is no number`)
  return value
}

/** In the place of a query inside of another one, which is written first. */
export const written = (sql: string) => ({ Written: { sql } })

export function writtenSql(value: unknown): string {
  const [kind, fields] = kindOf(value)
  if (kind !== 'Written') throw new UnknownNode(kind)
  return text(fields, 'sql')
}
