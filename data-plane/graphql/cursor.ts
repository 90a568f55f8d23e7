import type { Order } from './plan.ts'

type Values = readonly (string | null)[]

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString())
  } catch {
    return undefined
  }
}

/** By which columns and which way: a cursor makes sense in the order only that it was given out for. */
const placesOf = (order: readonly Order[]) =>
  order.map(({ column, direction }) => `${column.name} ${direction}`)

/** A place between rows: the row's values in the columns that the collection is sorted by. */
export const cursorOf = (order: readonly Order[], values: Values): string =>
  encode({ by: placesOf(order), at: values })

/** Undefined: not a cursor of a collection in this order. */
export function readCursor(order: readonly Order[], text: string): Values | undefined {
  const value = decode(text)
  if (typeof value !== 'object' || value === null) return undefined
  if (!('by' in value) || !('at' in value) || !isTexts(value.at)) return undefined
  const agrees = JSON.stringify(value.by) === JSON.stringify(placesOf(order))
  return agrees && value.at.length === order.length ? value.at : undefined
}

const isTexts = (value: unknown): value is Values =>
  Array.isArray(value) && value.every((one) => one === null || typeof one === 'string')

/** Names a row among those of all tables. */
export const nodeIdOf = (table: { schema: string; name: string }, key: Values): string =>
  encode([table.schema, table.name, ...key])

/** Undefined: no node id. */
export function readNodeId(
  text: string,
): { schema: string; name: string; key: readonly string[] } | undefined {
  const value = decode(text)
  if (!Array.isArray(value)) return undefined
  const parts = value.filter((part): part is string => typeof part === 'string')
  const [schema, name, ...key] = parts
  if (schema === undefined || name === undefined || parts.length < value.length) return undefined
  return { schema, name, key }
}
