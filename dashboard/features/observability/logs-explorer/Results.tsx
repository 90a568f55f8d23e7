import { Download, ScrollText, SquareTerminal, TextSearch, Maximize2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import type { SqlAnswer } from '#contract/observability/logs'
import { dayText, exactClock, exactMicros } from '../../../modules/logs/log-time.ts'
import { LogsFailed } from '../../../modules/logs/LogsFailed.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { counted, numberText } from '../../../ui/text/number.ts'
import { csvRows, chartOf, blockOf, kindOf, lineOf, microsOf, type ColumnKind } from './result.ts'

/** The library that draws comes with the first chart. */
const ResultChart = lazy(() =>
  import('./ResultChart.tsx').then((m) => ({ default: m.ResultChart })),
)

type View = 'table' | 'chart'
const views = [
  { value: 'table', label: 'Table' },
  { value: 'chart', label: 'Chart' },
] as const

type Props = {
  answer: SqlAnswer | undefined
  error: Error | null
  isRefused: boolean
  isRunning: boolean
  wasAsked: boolean
  view: View
  onView: (view: View) => void
  onRetry: () => void
  onLastHour: () => void
}

/** What writes such files is loaded for the first one. */
async function download(name: string, answer: Parameters<typeof csvRows>[0]): Promise<void> {
  const { csvText } = await import('../../../ui/csv.ts')
  saveFile(name, csvText(csvRows(answer)), 'text/csv')
}

/** What the query answered, or why it did not. */
export function Results({ answer, error, isRefused, isRunning, wasAsked, ...props }: Props) {
  if (answer) return <Answer answer={answer} {...props} />
  if (isRefused)
    return (
      <EmptyState icon={TextSearch} title="The query is not valid">
        Correct the query and run it again.
      </EmptyState>
    )
  if (error) return <LogsFailed what="the results" error={error} {...props} />
  if (isRunning || wasAsked) return <ResultsSkeleton />
  return (
    <EmptyState icon={SquareTerminal} title="Run a query">
      Its rows appear here, up to 1,000 of them.
    </EmptyState>
  )
}

type AnswerProps = { answer: SqlAnswer; view: View; onView: (view: View) => void }

function Answer({ answer, view, onView }: AnswerProps) {
  const chart = useMemo(() => chartOf(answer), [answer])
  const [saved] = useState(() => new Date().toISOString().slice(0, 19).replaceAll(':', '-'))
  const { rows, columns, cut } = answer
  if (rows.length === 0)
    return (
      <EmptyState icon={ScrollText} title="No rows">
        Nothing in this time range matches the query.
      </EmptyState>
    )
  return (
    <section className="lx-results" aria-label="Results">
      <div className="lx-results-bar">
        <output className="t12 muted tn">
          {counted(rows.length, 'row')}
          {cut && `: the result was cut at ${numberText(rows.length)} rows`}
        </output>
        <span className="grow" />
        {chart && <Segmented label="Shown as" options={views} value={view} onChange={onView} />}
        <Button icon={Download} onClick={() => void download(`logs-${saved}.csv`, answer)}>
          Export CSV
        </Button>
      </div>
      {chart && view === 'chart' ? (
        <Suspense fallback={<ResultsSkeleton />}>
          <ResultChart chart={chart} />
        </Suspense>
      ) : (
        <ResultTable key={columns.join()} answer={answer} />
      )}
    </section>
  )
}

/** The same every time, so that nothing flickers. */
const lines = [62, 38, 74, 51, 45, 68, 33]

function ResultsSkeleton() {
  return (
    <div className="lx-wait" aria-busy>
      <progress className="sr" aria-label="Running the query" />
      {lines.map((width) => (
        <Skeleton key={width} width={`${width}%`} />
      ))}
    </div>
  )
}

type Row = { at: number; values: readonly unknown[] }

/** The rows of an answer; one of them can be opened, with room for its objects. */
function ResultTable({ answer }: { answer: SqlAnswer }) {
  const [open, setOpen] = useState<number>()
  const kinds = answer.columns.map((_, at) => kindOf(answer, at))
  const rows = answer.rows.map((values, at): Row => ({ at, values }))
  const columns: Column<Row>[] = [
    {
      id: 'open',
      head: 'Row',
      hideHead: true,
      width: '40px',
      cell: ({ at }) => (
        <IconButton
          icon={Maximize2}
          iconSize="s"
          label={`Show row ${at + 1}`}
          onClick={() => setOpen(at)}
        />
      ),
    },
    ...answer.columns.map((name, at): Column<Row> => {
      const kind = kinds[at] ?? 'text'
      return {
        id: `${at}`,
        head: name,
        numeric: kind === 'number',
        sortBy: ({ values }) => sortKey(values[at]),
        cell: ({ values }) => <Value value={values[at]} kind={kind} />,
      }
    }),
  ]
  const shown = open === undefined ? undefined : answer.rows[open]
  return (
    <div className="lx-table">
      <Table
        label="Results"
        rowHeight={32}
        columns={columns}
        rows={rows}
        keyOf={({ at }) => `${at}`}
        empty={null}
      />
      <SidePanel
        open={shown !== undefined}
        size="large"
        title={`Row ${(open ?? 0) + 1}`}
        onClose={() => setOpen(undefined)}
      >
        {shown && <Fields names={answer.columns} kinds={kinds} values={shown} />}
      </SidePanel>
    </div>
  )
}

const sortKey = (value: unknown): string | number =>
  typeof value === 'number' ? value : lineOf(value)

function Value({ value, kind }: { value: unknown; kind: ColumnKind }): ReactNode {
  if (value === null || value === undefined) return <span className="faint">NULL</span>
  const micros = kind === 'time' ? microsOf(value) : undefined
  if (micros !== undefined)
    return (
      <span className="lx-value tn" title={exactMicros(micros)}>
        {dayText(micros / 1000)} {exactClock(micros)}
      </span>
    )
  const line = lineOf(value)
  return <span className="lx-value ell">{line.length > 300 ? `${line.slice(0, 300)}…` : line}</span>
}

type FieldsProps = {
  names: readonly string[]
  kinds: readonly ColumnKind[]
  values: readonly unknown[]
}

function Fields({ names, kinds, values }: FieldsProps) {
  return (
    <dl className="lx-row">
      {names.map((name, at) => {
        const value = values[at]
        const micros = kinds[at] === 'time' ? microsOf(value) : undefined
        const text = micros === undefined ? blockOf(value) : exactMicros(micros)
        return (
          // oxlint-disable-next-line react/no-array-index-key -- two columns may have one name, and none moves
          <div key={at}>
            <dt>{name}</dt>
            <dd>
              {typeof value === 'object' && value !== null ? (
                <CodeBlock code={text} language="js" what={name} />
              ) : (
                <>
                  <span className="mono">{text}</span>
                  <CopyButton text={lineOf(value)} what={name} />
                </>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
