import Papa from 'papaparse'
import { createTable } from '#contract/ddl/tables/create-table'
import type { Change } from '#contract/ddl/change'
import type { ColumnShape } from '#contract/ddl/tables/table-shape'

/** How a file is read and where its columns go. Plain data; every function answers a new one. */
export type ImportDraft = {
  fileName: string
  delimiter: Delimiter
  header: boolean
  emptyIsNull: boolean
  skipBad: boolean
  /** The beginning of the file, and whether that is all of it. */
  text: string
  whole: boolean
  /** The first rows, as texts. */
  sample: readonly (readonly string[])[]
  columns: readonly DraftColumn[]
}
export type DraftColumn = {
  /** What the file calls it, or its number. */
  head: string
  examples: readonly string[]
  /** Where it goes; null leaves it out. */
  into: string | null
  /** Of a new table. */
  type: string
}

/** Bytes at the start of a file that say what it is like. */
export const sampleSize = 256 * 1024
const shownRows = 8
const guessedFrom = 500

type Target = readonly string[] | 'new'
type Reading = Pick<ImportDraft, 'fileName' | 'sample' | 'delimiter' | 'header'>

/** Reads the first part of a file; the last row of a part may be cut off. */
export function readSample(
  text: string,
  whole: boolean,
  delimiter: Delimiter,
): readonly (readonly string[])[] {
  const { data } = Papa.parse<string[]>(text, { delimiter, skipEmptyLines: 'greedy' })
  const rows = data.slice(0, guessedFrom + 1)
  return whole || data.length > rows.length || rows.length < 2 ? rows : rows.slice(0, -1)
}

export function draftOf(
  fileName: string,
  text: string,
  whole: boolean,
  target: Target,
): ImportDraft {
  const clean = text.replace(/^\uFEFF/, '')
  const delimiter = guessDelimiter(clean)
  const sample = readSample(clean, whole, delimiter)
  const reading = { fileName, sample, delimiter, header: guessHeader(sample) }
  const columns = columnsOf(reading, target)
  return { ...reading, text: clean, whole, emptyIsNull: true, skipBad: false, columns }
}

export function columnsOf({ sample, header }: Reading, target: Target): DraftColumn[] {
  const width = Math.max(0, ...sample.map((row) => row.length))
  const first = header ? (sample[0] ?? []) : []
  const rows = header ? sample.slice(1) : sample
  const heads = Array.from({ length: width }, (_, at) => first[at] ?? '')
  const names = columnNames(heads)
  const found = target === 'new' ? names : matchColumns(heads, target)
  // Without a head the columns are taken in the order in which the table has them.
  const inOrder = target !== 'new' && !header
  return heads.map((head, at) => {
    const values = rows.map((row) => row[at] ?? '')
    return {
      head: head || `Column ${at + 1}`,
      examples: values.slice(0, shownRows),
      into: (inOrder ? target[at] : found[at]) ?? null,
      type: guessType(values.slice(0, guessedFrom)),
    }
  })
}

/** A column that numbers the rows, under a name that the file does not use. */
export function keyName(columns: readonly DraftColumn[]): string {
  const taken = columns.map(({ into }) => into)
  return ['id', 'row_id'].find((name) => !taken.includes(name)) ?? `row_id_${columns.length}`
}

/** The column that tells the rows of the sample apart by itself, when it is called like a key. */
export function likelyKey(columns: readonly DraftColumn[]): string | undefined {
  const found = columns.find(({ into }) => into?.toLowerCase() === 'id')
  if (!found || found.into === null) return undefined
  const { examples } = found
  const unique = new Set(examples).size === examples.length && !examples.includes('')
  return unique ? found.into : undefined
}

const plainColumn: Omit<ColumnShape, 'name' | 'type'> = {
  nullable: true,
  default: null,
  generated: null,
  check: null,
  identity: null,
  unique: false,
  comment: null,
  unique_name: null,
  check_name: null,
}

/** A new table for the file. Its key is the column chosen for that, or one that numbers the rows. */
export function tableFor(
  schema: string,
  name: string,
  columns: readonly DraftColumn[],
  key: string | undefined,
): Change {
  const shapes = columns.flatMap(({ into, type }): ColumnShape[] =>
    into === null ? [] : [{ ...plainColumn, name: into, type, nullable: into !== key }],
  )
  const numbered: ColumnShape = {
    ...plainColumn,
    name: keyName(columns),
    type: 'int8',
    nullable: false,
    identity: 'BY DEFAULT',
  }
  return createTable(
    {
      schema,
      name,
      comment: null,
      rls: true,
      realtime: false,
      columns: key === undefined ? [numbered, ...shapes] : shapes,
      primary_key: { name: null, columns: [key ?? numbered.name] },
      foreign_keys: [],
      access: [],
    },
    [],
  )
}

/** A table's name from a file's. */
export function tableName(fileName: string): string {
  const words = fileName
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  return words ? columnNames([words]).join('') : 'imported'
}

/** Why a draft cannot be imported yet. */
export function draftProblem(draft: ImportDraft): string | undefined {
  const into = draft.columns.flatMap((column) => column.into ?? [])
  if (into.length === 0) return 'Choose a target for at least one column'
  const twice = into.find((name, at) => into.indexOf(name) !== at)
  return twice === undefined ? undefined : `Two columns map to ${twice}`
}

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

const delimiters = [',', '\t', ';', '|'] as const
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
