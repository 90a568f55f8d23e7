import type { ResultCell } from '#contract/database/sql/sql-query'
import { numberText } from '../../../../ui/text/number.ts'
import type { StatementRun } from '../running/run-state.ts'

/** Records that are shown; a grid is the better view of more. */
const shown = 200

/** Rows on their side, a line for each column, as psql shows them after \x. */
export function ExpandedRows({ statement }: { statement: StatementRun }) {
  const { fields = [], rows, received } = statement
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also for the keyboard
    <section className="sql-expanded scroll" aria-label="Records" tabIndex={0}>
      {rows.slice(0, shown).map((row, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows only ever grow at the end
        <section key={at}>
          <h3>Record {at + 1}</h3>
          <dl>
            {fields.map(({ name }, column) => (
              // oxlint-disable-next-line react/no-array-index-key -- two columns may have one name
              <div key={column}>
                <dt>{name}</dt>
                <dd className="mono">{textOf(row[column] ?? null)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {received > shown && (
        <p className="muted">
          The first {shown} of {numberText(received)} records are shown
        </p>
      )}
    </section>
  )
}

const textOf = (cell: ResultCell) =>
  cell === null ? <i className="faint">NULL</i> : typeof cell === 'string' ? cell : `${cell.head}…`
