import { Maximize2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { SqlAnswer } from '#contract/observability/logs'
import { dayText, exactClock, exactMicros } from '../../../modules/logs/log-time.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { blockOf, kindOf, lineOf, microsOf, type ColumnKind } from './result.ts'

type Row = { at: number; values: readonly unknown[] }

/** The rows of an answer; one of them can be opened, with room for its objects. */
export function ResultTable({ answer }: { answer: SqlAnswer }) {
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
