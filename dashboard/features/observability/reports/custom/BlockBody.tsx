import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { isChartKey } from '#contract/observability/report-charts'
import type { ReportBlock } from '#contract/observability/report-content'
import { RowsTable } from '../../../../modules/sql/RowsTable.tsx'
import type { Range } from '../../../../modules/logs/range.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { ReportChart } from '../../../../modules/reports/ReportChart.tsx'
import { rowsQuery } from '../../../../modules/reports/custom-reports.ts'

const ReportText = lazy(() => import('./ReportText.tsx').then((m) => ({ default: m.ReportText })))

type Props = {
  projectRef: string
  block: ReportBlock
  range: Range
  /** When the report was asked for, in milliseconds since 1970. */
  now: number
  onLastHour: () => void
}

/** What a block shows. */
export function BlockBody({ projectRef, block, range, now, onLastHour }: Props) {
  switch (block.kind) {
    case 'chart':
      return isChartKey(block.chart) ? (
        <ReportChart chart={block.chart} {...{ projectRef, range, onLastHour }} />
      ) : (
        <Card title="Unknown chart">
          <p className="muted">This installation has no chart of the name {block.chart}.</p>
        </Card>
      )
    case 'text':
      return (
        <Card>
          <Suspense fallback={<Skeleton width="60%" />}>
            <ReportText text={block.text} />
          </Suspense>
        </Card>
      )
    case 'sql':
      return (
        <Card title={block.title || 'Query'}>
          <Rows {...{ projectRef, now }} sql={block.sql} />
        </Card>
      )
  }
}

function Rows({ projectRef, sql, now }: { projectRef: string; sql: string; now: number }) {
  const { data, error } = useQuery(rowsQuery(projectRef, sql, now))
  const problem = error ?? data?.error
  if (problem)
    return (
      <Alert variant="danger" title="The query did not run">
        {problem.message}
      </Alert>
    )
  if (!data) return <Skeleton width="60%" />
  const total = data.count ?? data.rows.length
  const cut = data.rows.length < total
  return (
    <>
      <RowsTable columns={data.columns} rows={data.rows} />
      <p className="t12 muted">
        {total === 1 ? '1 row' : `${total} rows`}
        {cut && `, the first ${data.rows.length} shown`}
      </p>
    </>
  )
}
