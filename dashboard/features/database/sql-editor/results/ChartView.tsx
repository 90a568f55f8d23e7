import { useMemo } from 'react'
import type { SnippetChart } from '#contract/database/snippets'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { ChartColumn } from 'lucide-react'
import { chartFor, mostPoints, seriesOf } from './chart.ts'
import { ResultPlot } from './ResultPlot.tsx'
import { isNumeric } from './result-export.ts'
import type { StatementRun } from '../running/run-state.ts'
import { numberText } from '../../../../ui/text/number.ts'

type Props = {
  statement: StatementRun
  saved: SnippetChart | null
  /** Why a choice is not kept with the query. */
  isForeign: boolean
  onChange: (chart: SnippetChart) => void
}

const kinds = [
  { value: 'bar', label: 'Bars' },
  { value: 'line', label: 'Line' },
  { value: 'area', label: 'Area' },
  { value: 'scatter', label: 'Scatter' },
] as const

/** A result as a drawing, and what of it is drawn. The choice is saved with the query. */
export function ChartView({ statement, saved, isForeign, onChange }: Props) {
  const { fields, rows, received } = statement
  const result = useMemo(() => ({ fields: fields ?? [], rows }), [fields, rows])
  const chart = chartFor(result, saved)
  const series = useMemo(
    () => (chart ? seriesOf(result, chart) : undefined),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows grow in place; `received` tells how far
    [result, chart, received],
  )
  if (!chart || !series)
    return (
      <EmptyState icon={ChartColumn} title="Nothing to draw">
        A chart needs a column of numbers.
      </EmptyState>
    )
  const numbers = result.fields.filter(({ type }) => isNumeric(type))
  const toggle = (name: string, on: boolean) => {
    const y = on ? [...chart.y, name].slice(0, 8) : chart.y.filter((other) => other !== name)
    if (y.length > 0) onChange({ ...chart, y })
  }
  return (
    <div className="sql-chart">
      <div className="sql-chart-choice scroll">
        <Segmented
          label="Kind of chart"
          options={kinds}
          value={chart.kind}
          onChange={(kind) => onChange({ ...chart, kind })}
        />
        <div>
          <h3>Below</h3>
          <Select
            label="Column below"
            size="tool"
            options={result.fields.map(({ name, type }) => ({
              value: name,
              label: name,
              detail: type,
            }))}
            value={chart.x}
            onChange={(x) => onChange({ ...chart, x })}
          />
        </div>
        <fieldset>
          <legend>Drawn</legend>
          {numbers.map(({ name }) => (
            <Checkbox
              key={name}
              label={<span className="mono">{name}</span>}
              checked={chart.y.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
          ))}
        </fieldset>
        <Checkbox
          label="Add up from the left"
          checked={chart.cumulative}
          onChange={(event) => onChange({ ...chart, cumulative: event.target.checked })}
        />
        <p className="t12 muted">
          {isForeign
            ? 'This query is not yours, so your choices here are not saved.'
            : 'Saved with the query.'}
        </p>
        {series.left > 0 && (
          <p className="t12 tone-warning">
            {numberText(series.left)} rows are not drawn: they have no value on the horizontal axis,
            or there are more than {numberText(mostPoints)}.
          </p>
        )}
      </div>
      <ResultPlot series={series} kind={chart.kind} label={`${chart.y.join(', ')} by ${chart.x}`} />
    </div>
  )
}
