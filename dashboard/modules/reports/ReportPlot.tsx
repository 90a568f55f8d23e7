import { useCallback } from 'react'
import type { Chart } from '#contract/observability/report-charts'
import type { ReportAnswer } from '#contract/observability/reports'
import { Plot, type PlotColours } from '../../ui/plot/Plot.tsx'
import { drawingOf } from './drawing.ts'

type Props = {
  chart: Chart
  answer: ReportAnswer
  earlier: ReportAnswer | undefined
  label: string
}

/** A chart of series; its legend says the values of the point that is pointed at. */
export function ReportPlot({ chart, answer, earlier, label }: Props) {
  const draw = useCallback(
    (colours: PlotColours) => drawingOf(chart, answer, earlier, colours),
    [chart, answer, earlier],
  )
  return <Plot className="report-plot" label={label} draw={draw} heightOf={heightOf} />
}

/** The legend stands below. */
const heightOf = () => 200
