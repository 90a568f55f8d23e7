import { Link } from '@tanstack/react-router'
import { Download, Image, ListPlus, ScrollText, Table2 } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Chart, ChartKey } from '#contract/observability/report-charts'
import type { ReportAnswer } from '#contract/observability/reports'
import { messageOf } from '../../api/client.ts'
import { spanText } from '../logs/log-time.ts'
import { AddToReport } from './AddToReport.tsx'
import { choiceOf, type Range } from '../logs/range.ts'
import { buttonClass } from '../../ui/controls/Button.tsx'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { Icon } from '../../ui/Icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { csvRows, isEmpty, sheetOf } from './figures.ts'

type Props = {
  projectRef: string
  chart: Chart
  chartKey: ChartKey
  range: Range
  data: ReportAnswer
  /** The same of the time before. */
  earlier: ReportAnswer | undefined
  isTable: boolean
  onTable: (isTable: boolean) => void
}

/** What can be done with a chart: its table, its files, and the entries behind it. */
export function ChartTools(props: Props) {
  const { projectRef, chart, chartKey, range, data, earlier, isTable, onTable } = props
  const [isAdding, setAdding] = useState(false)
  const tools = useRef<HTMLDivElement>(null)
  const isSeries = data.table === null
  const nothing = isEmpty(chart, data) && 'There are no figures to save'
  const file = `${chartKey}-${data.from.slice(0, 16).replaceAll(':', '')}`
  const attempt = (work: () => Promise<void>) => {
    work().catch((error: unknown) => toast.error(messageOf(error)))
  }
  async function saveCsv(): Promise<void> {
    const { csvText } = await import('../../ui/csv.ts')
    const sheet = sheetOf(chart, data, earlier)
    saveFile(`${file}.csv`, csvText(csvRows(sheet, isSeries)), 'text/csv')
  }
  async function savePicture(): Promise<void> {
    const drawn = tools.current?.closest('.report-chart')?.querySelector('canvas')
    if (!drawn) throw new Error('The chart is not drawn yet')
    const { pictureOf } = await import('./picture.ts')
    const about = spanText(range.from, range.to)
    saveFile(`${file}.png`, await pictureOf(drawn, { chart, data, earlier, about }), 'image/png')
  }
  return (
    <div className="report-tools" ref={tools}>
      {isSeries && (
        <IconButton
          icon={Table2}
          iconSize="s"
          label="Show as table"
          aria-pressed={isTable}
          onClick={() => onTable(!isTable)}
        />
      )}
      {isSeries && (
        <IconButton
          icon={Image}
          iconSize="s"
          label="Save as picture"
          disabledReason={nothing}
          onClick={() => attempt(savePicture)}
        />
      )}
      <IconButton
        icon={Download}
        iconSize="s"
        label="Download CSV"
        disabledReason={nothing}
        onClick={() => attempt(saveCsv)}
      />
      <IconButton
        icon={ListPlus}
        iconSize="s"
        label="Add to report"
        onClick={() => setAdding(true)}
      />
      {isAdding && (
        <AddToReport
          {...{ projectRef }}
          content={{ kind: 'chart', chart: chartKey }}
          onClose={() => setAdding(false)}
        />
      )}
      {chart.logs && (
        <Link
          to="/project/$ref/logs/$source"
          params={{ ref: projectRef, source: chart.logs.replaceAll('_', '-') }}
          search={choiceOf(range)}
          className={buttonClass({ square: true, variant: 'ghost' })}
          aria-label={`Open logs: ${chart.title}`}
          data-tip="Open logs"
        >
          <Icon of={ScrollText} size="s" />
        </Link>
      )}
    </div>
  )
}
