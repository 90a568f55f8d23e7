import type { Chart } from '#contract/observability/report-charts'
import { pointText, valueText, type Sheet } from './figures.ts'

type Props = { chart: Chart; sheet: Sheet; interval: number; isSeries: boolean }

/** The figures behind a chart, or those of a chart that is a table. */
export function ReportTable({ chart, sheet, interval, isSeries }: Props) {
  // The newest first, as people look for it.
  const rows = isSeries ? sheet.rows.toReversed() : sheet.rows
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is to be reached by keyboard
    <section className="report-table" aria-label={`${chart.title}: table`} tabIndex={0}>
      <table className="tbl dense">
        <thead>
          <tr>
            {sheet.columns.map(({ name, unit }) => (
              <th key={name} scope="col" className={unit === 'text' ? undefined : 'num'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no name of their own, and never move
            <tr key={number}>
              {row.map((cell, at) => {
                const { name = '', unit = 'text' } = sheet.columns[at] ?? {}
                const isTime = isSeries && at === 0 && typeof cell === 'number'
                return (
                  <td key={name} className={unit === 'text' ? 'report-words' : 'num'}>
                    {isTime ? pointText(cell, interval) : valueText(unit, cell)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
