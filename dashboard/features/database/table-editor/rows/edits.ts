import type { EntityColumn, EntityDetail } from '#contract/database/pg-meta-shapes'
import type { CellAt, CellEdit, EditKind } from '../../../../ui/grid/grid-types.ts'
import { isFilledIn, isText, valueProblem } from '../grid/grid-columns.ts'
import type { TableModel } from '../table-model.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { deletion, type StagedOfTable } from './staged-context.ts'

/** A cell that keeps what it holds, and why. */
export type Refused = CellAt & { problem: string }

type Columns = Pick<EntityDetail, 'columns' | 'primary_key'>
type Rows = Pick<TableModel, 'isNew' | 'nameOf'>

/** Which edits can never be saved. What a new row does not say, the database fills in where it can. */
export function refusedOf({ columns }: Columns, rows: Rows, edits: readonly CellEdit[]): Refused[] {
  return edits.flatMap(({ row, column: at, text }) => {
    const column = columns[at]
    if (!column || (text === null && rows.isNew(row) && isFilledIn(column))) return []
    const problem = valueProblem(column, text)
    return problem === undefined ? [] : [{ row, column: at, problem }]
  })
}

const deeds: Record<EditKind, string> = {
  typed: 'The value was not saved.',
  pasted: 'Nothing was pasted.',
  filled: 'Nothing was filled in.',
}

/** A block is taken as a whole or not at all: half of one would look like all of it. */
export function refusalText(
  { columns }: Columns,
  rows: Rows,
  how: EditKind,
  refused: readonly Refused[],
): string {
  const [first] = refused
  if (!first) return deeds[how]
  const place = `${rows.nameOf(first.row)}, ${columns[first.column]?.name ?? ''}`
  return `${deeds[how]} ${place}: ${first.problem}${andMore(refused)}`
}

/** What is left of cells that are emptied: NULL where there can be one, else empty text. */
export function emptying(
  { columns, primary_key: keys }: Columns,
  rows: Pick<TableModel, 'isNew'>,
  cells: readonly CellAt[],
): { edits: CellEdit[]; left: Refused[] } {
  const edits: CellEdit[] = []
  const left: Refused[] = []
  for (const cell of cells) {
    const column = columns[cell.column]
    if (!column) continue
    const filledIn = rows.isNew(cell.row) && isFilledIn(column)
    const problem = filledIn ? undefined : emptyProblem(column, keys)
    if (problem !== undefined) left.push({ ...cell, problem })
    else edits.push({ ...cell, text: column.is_nullable || filledIn ? null : '' })
  }
  return { edits, left }
}

function emptyProblem(column: EntityColumn, keys: readonly string[]): string | undefined {
  if (keys.includes(column.name))
    return `${column.name} is part of the primary key and cannot be emptied`
  if (column.is_nullable || (isText(column) && valueProblem(column, '') === undefined))
    return undefined
  return `${column.name} cannot be NULL`
}

/** Of several cells, that there are more. */
const andMore = ({ length }: readonly Refused[]) =>
  length > 2 ? ` (and ${length - 1} more cells)` : length === 2 ? ' (and 1 more cell)' : ''

type Table = { entity: EntityDetail; model: TableModel; table: Pick<StagedOfTable, 'change'> }

/** Stages what can be saved. Of what can never be, nothing is staged: that is said, and its first cell answered. */
export function takeEdits(
  { entity, model, table }: Table,
  edits: readonly CellEdit[],
  how: EditKind,
): CellAt | undefined {
  const refused = refusedOf(entity, model, edits)
  if (refused.length === 0) table.change(model.edited(edits))
  else toast.warning(refusalText(entity, model, how, refused), { id: 'refused' })
  return refused[0]
}

/** Empties the cells that can be empty. The others stay as they are, and it is said why. */
export function takeEmptied({ entity, model, table }: Table, cells: readonly CellAt[]): void {
  const { edits, left } = emptying(entity, model, cells)
  if (edits.length > 0) table.change(model.edited(edits))
  const [first] = left
  if (first) toast.warning(`${first.problem}${andMore(left)}`, { id: 'refused' })
}

/** Stages that rows are deleted; it is said when some of them cannot be. */
export function takeDeletion(
  { model, table }: Omit<Table, 'entity'>,
  rows: readonly number[],
): void {
  table.change(deletion(model, rows))
  const fixed = rows.map(model.fixedBecause).find((reason) => reason !== undefined)
  if (fixed !== undefined) toast.info(fixed, { id: 'locked' })
}
