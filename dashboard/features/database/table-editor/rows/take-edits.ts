import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { CellAt, CellEdit, EditKind } from '../../../../ui/grid/grid-types.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { andMore, emptying, refusalText, refusedOf } from './edits.ts'
import { deletion, type StagedOfTable } from './staged-context.ts'
import type { TableModel } from '../table-model.ts'

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
