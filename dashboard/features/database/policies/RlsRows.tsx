import { Check, CircleHelp, Rows3, X } from 'lucide-react'
import type { RlsCommand, RlsResult, RlsRow, RlsStep } from '#contract/database/rls-test'
import type { Cell } from '#contract/database/rows/table-rows'
import { Badge } from '../../../ui/text/Badge.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { outcomeWord, partWords } from './rls-tester.ts'

type Props = { result: RlsResult; rows: readonly RlsRow[]; command: RlsCommand }

/** Columns that tell a row from another; a wide table has more than anyone reads here. */
const shownCells = 6

/** Row by row: what becomes of it, and what each policy says. */
export function RlsRows({ result, rows, command }: Props) {
  const { columns, policies } = result
  const names = new Map(policies.map(({ id, name }) => [id, name]))
  if (rows.length === 0)
    return (
      <EmptyState icon={Rows3} title="No rows">
        There are no rows to test.
      </EmptyState>
    )
  return (
    <ul className="rls-list" aria-label="Rows">
      {rows.map((row, at) => {
        const { word, tone } = outcomeWord(command, row.outcome)
        return (
          // oxlint-disable-next-line react/no-array-index-key -- rows of a table without a key may all be the same
          <li key={at} className="rls-row">
            <span>
              <Badge tone={tone}>{word}</Badge>
            </span>
            <div className="rls-body-row">
              <Cells columns={columns} cells={row.before} />
              {row.after && <Cells columns={columns} cells={row.after} after />}
              <div className="rls-steps t12">
                {row.steps.map((step) => (
                  <Step key={step.part} step={step} names={names} />
                ))}
              </div>
            </div>
          </li>
        )
      })}
    </ul>
  )
}

type CellsProps = { columns: readonly string[]; cells: readonly Cell[]; after?: boolean }

function Cells({ columns, cells, after }: CellsProps) {
  if (cells.length === 0) return null
  return (
    <div className={after ? 'rls-cells rls-after' : 'rls-cells'}>
      {after && <span className="faint t12">becomes</span>}
      {columns.slice(0, shownCells).map((name, at) => (
        <span key={name} className="rls-cell mono">
          <span className="faint">{name}</span> {textOf(cells[at] ?? null)}
        </span>
      ))}
      {columns.length > shownCells && (
        <span className="faint t12">and {columns.length - shownCells} more</span>
      )}
    </div>
  )
}

const textOf = (cell: Cell) =>
  cell === null ? 'NULL' : typeof cell === 'string' ? cell.slice(0, 200) : cell.head.slice(0, 200)

function Step({ step, names }: { step: RlsStep; names: ReadonlyMap<number, string> }) {
  return (
    <span className="rls-step">
      <Mark passed={step.passed} unknown={step.passed === null} />
      {partWords[step.part]}
      {step.policies.length === 0 ? (
        <span className="faint">(no policy lets it through)</span>
      ) : (
        <span className="faint">
          (
          {step.policies
            .map(({ id, passed }) => `${names.get(id) ?? id}: ${passed === true ? 'yes' : 'no'}`)
            .join(', ')}
          )
        </span>
      )}
    </span>
  )
}

function Mark({ passed, unknown }: { passed: boolean | null; unknown: boolean }) {
  if (unknown) return <Icon of={CircleHelp} size="xs" />
  return passed ? (
    <Icon of={Check} size="xs" className="pass" />
  ) : (
    <Icon of={X} size="xs" className="fail" />
  )
}
