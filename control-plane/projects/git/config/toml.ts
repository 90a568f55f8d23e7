import { parse, TomlDate, TomlError, type TomlValueWithoutBigInt as Value } from 'smol-toml'

/** A value of TOML. Dates and times are texts. */
export type TomlValue = string | number | boolean | TomlValue[] | { [key: string]: TomlValue }
/** One setting: its names from the outermost table on. */
export type TomlEntry = { path: string[]; value: TomlValue }

/** A text that is no TOML; the message says where. */
export class TomlProblem extends Error {}

/** Tables in tables, as far as anybody means it. */
const maxDepth = 50

/** Every setting of a file, in its order. Tables of arrays have their place among the names. @throws TomlProblem */
export function readToml(text: string): TomlEntry[] {
  try {
    const table = parse(text.replace(/^\uFEFF/, ''), { maxDepth, useLegacyDate: true })
    return entriesOf([], plain(table))
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // Behind its first line the message shows the text, in which there may be secrets.
    const [what = ''] = error.message.split('\n')
    throw new TomlProblem(`line ${error.line}: ${what.replace(/^Invalid TOML document: /, '')}`)
  }
}

function plain(value: Value): TomlValue {
  if (value instanceof TomlDate) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value as Record<string, Value>).map(([key, one]) => [key, plain(one)]),
  )
}

const isTable = (value: TomlValue) => typeof value === 'object' && !Array.isArray(value)

function entriesOf(path: string[], value: TomlValue): TomlEntry[] {
  if (typeof value !== 'object') return [{ path, value }]
  if (Array.isArray(value) && !(value.length > 0 && value.every(isTable))) return [{ path, value }]
  return Object.entries(value).flatMap(([key, one]) => entriesOf([...path, key], one))
}
