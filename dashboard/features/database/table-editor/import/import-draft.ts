import Papa from 'papaparse'
import { createTable } from '#contract/ddl/tables/create-table'
import type { Change } from '#contract/ddl/change'
import type { ColumnShape } from '#contract/ddl/tables/table-shape'
import {
  columnNames,
  guessDelimiter,
  guessHeader,
  guessType,
  matchColumns,
  type Delimiter,
} from './import-guess.ts'

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
