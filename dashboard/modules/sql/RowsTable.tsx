import './rows-table.css'

type Props = {
  columns: readonly string[]
  /** Cells as text; null is NULL. */
  rows: readonly (readonly (string | null)[])[]
}

/** The first rows of a result, to be read where they stand. */
export function RowsTable({ columns, rows }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable
    <div className="rows-table" tabIndex={0}>
      <table className="grid" aria-label="Result">
        <thead>
          <tr>
            {columns.map((name, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns have no other identity, names repeat
              <th key={at} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a result never move
            <tr key={row}>
              {cells.map((cell, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- as above
                <td key={at} title={cell ?? undefined}>
                  {cell === null ? <span className="nul">NULL</span> : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
