import { Checkbox } from '../controls/Checkbox.tsx'
import type { Column } from './Table.tsx'

type Choice<Row> = {
  /** Those that are shown, and that the box in the head chooses. */
  rows: readonly Row[]
  /** What the box in the head says, as "Select all shown". */
  label: string
  /** What one is called. */
  nameOf: (row: Row) => string
  /** The IDs of those that are chosen, also of some that are not shown. */
  chosen: ReadonlySet<string>
  onChosen: (ids: ReadonlySet<string>) => void
}

/** The column of boxes by which rows are chosen. */
export function choiceColumn<Row extends { id: string }>(choice: Choice<Row>): Column<Row> {
  const { rows, label, nameOf, chosen, onChosen } = choice
  const all = rows.map(({ id }) => id)
  const here = all.filter((id) => chosen.has(id)).length
  const set = (ids: readonly string[], on: boolean) => {
    const next = new Set(chosen)
    for (const id of ids) {
      if (on) next.add(id)
      else next.delete(id)
    }
    onChosen(next)
  }
  return {
    id: 'chosen',
    head: 'Selected',
    width: '40px',
    headCell: (
      <Checkbox
        label={label}
        hideLabel
        checked={all.length > 0 && here === all.length}
        mixed={here > 0 && here < all.length}
        onChange={({ target }) => set(all, target.checked)}
      />
    ),
    cell: (row) => (
      <Checkbox
        label={`Select ${nameOf(row)}`}
        hideLabel
        checked={chosen.has(row.id)}
        onChange={({ target }) => set([row.id], target.checked)}
      />
    ),
  }
}
