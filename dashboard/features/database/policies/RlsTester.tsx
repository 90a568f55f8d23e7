import { useInfiniteQuery, useQuery, infiniteQueryOptions } from '@tanstack/react-query'
import { Check, CircleHelp, Rows3, X } from 'lucide-react'
import { useState } from 'react'
import {
  rlsCommands,
  type RlsCommand,
  rlsTest,
  type RlsResult,
  type RlsRow,
  type RlsStep,
} from '#contract/database/rls-test'
import type { Cell, NewCell } from '#contract/database/rows/table-rows'
import { pgMeta } from '#contract/database/pg-meta'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { RolePicker } from '../../../modules/roles/RolePicker.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { callDatabase, databaseQuery } from '../../../session/project/database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { inactiveWords, outcomeWord, partWords } from './rls-tester.ts'
import { RlsValues } from './RlsValues.tsx'

type RlsCase = {
  /** undefined is the database's owner. */
  who: Impersonation | undefined
  command: RlsCommand
  values: Record<string, NewCell>
  onlySeen: boolean
}

/**
 * It changes nothing, whatever the command: see contract/database/rls-test.ts. What came of another case is not shown meanwhile: rows
 * that would be deleted are none that would be added.
 */
const rlsQuery = (ref: string, id: number, { who, command, values, onlySeen }: RlsCase) =>
  infiniteQueryOptions({
    queryKey: [rlsTest.run.name, { ref, id, who, command, values, onlySeen }],
    queryFn: ({ pageParam, signal }) =>
      callDatabase(
        rlsTest.run,
        {
          ref,
          id,
          as: who ? { role: who.role, claims: who.claims } : { role: 'postgres' },
          command,
          values,
          only_seen: onlySeen,
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: RlsResult) => next ?? undefined,
    retry: false,
    staleTime: 0,
  })

const testedTableQuery = (ref: string, id: number) => databaseQuery(pgMeta.entity, { ref, id })

type Props = { projectRef: string; tableId: number; onClose: () => void }

const nobody: Impersonation = { role: 'anon', label: 'anon', claims: { role: 'anon' } }
const options = rlsCommands.map((value) => ({
  value,
  label: value.charAt(0) + value.slice(1).toLowerCase(),
}))

/** Tries a command as a role without carrying it out: which rows it would reach, and which policy decided. */
export function RlsTester({ projectRef, tableId, onClose }: Props) {
  const table = useQuery(testedTableQuery(projectRef, tableId))
  const [who, setWho] = useState<Impersonation | undefined>(nobody)
  const [command, setCommand] = useState<RlsCommand>('SELECT')
  const [values, setValues] = useState<Record<string, NewCell>>({})
  const [onlySeen, setOnlySeen] = useState(false)
  const writes = command === 'INSERT' || command === 'UPDATE'
  const found = useInfiniteQuery(
    rlsQuery(projectRef, tableId, {
      who,
      command,
      values: writes ? values : {},
      onlySeen: onlySeen && command !== 'INSERT',
    }),
  )
  const [first] = found.data?.pages ?? []
  const rows = found.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <SidePanel
      open
      size="xxxlarge"
      onClose={onClose}
      title={
        <>
          Test the policies of <span className="mono">{table.data?.name ?? '…'}</span>
        </>
      }
    >
      <div className="rls-head">
        <Segmented
          label="Command"
          options={options}
          value={command}
          onChange={(next) => {
            setCommand(next)
            setValues({})
          }}
        />
        <RolePicker projectRef={projectRef} value={who} onChange={setWho} verb="As" align="start" />
        <span className="grow" />
        {command !== 'INSERT' && (
          <Checkbox
            label="Only rows the role can see"
            checked={onlySeen}
            onChange={(event) => setOnlySeen(event.target.checked)}
          />
        )}
      </div>
      <div className="rls-body">
        {writes && (
          <RlsValues
            key={command}
            command={command}
            columns={table.data?.columns ?? []}
            tried={values}
            onValues={setValues}
          />
        )}
        {found.error && (
          <ErrorNote
            what="What the policies say"
            error={found.error}
            onRetry={() => void found.refetch()}
          />
        )}
        {found.isPending && <Skeleton width="60%" height={20} />}
        {first && !found.error && (
          <>
            <RlsSummary
              result={first}
              rows={rows}
              command={command}
              role={who?.role ?? 'postgres'}
              more={found.hasNextPage}
            />
            <RlsRows result={first} rows={rows} command={command} />
            {found.hasNextPage && (
              <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                Show more rows
              </Button>
            )}
          </>
        )}
        <p className="help">
          Nothing is changed: the test reads rows and evaluates each policy as the role, in a
          read-only transaction that is rolled back. Triggers do not fire. Functions in a policy
          that act outside the database, such as by a network call, do so here too.
        </p>
      </div>
    </SidePanel>
  )
}

type RlsSummaryProps = {
  result: RlsResult
  rows: readonly RlsRow[]
  command: RlsCommand
  role: string
  /** There are rows beyond these. */
  more: boolean
}

/** What came of it as a whole, and what stands in the way of all rows. */
function RlsSummary({ result, rows, command, role, more }: RlsSummaryProps) {
  const { inactive, missing, policies, unknown_columns, triggers } = result
  const failed = policies.filter(({ error }) => error !== null)
  return (
    <>
      {missing.length > 0 && (
        <Alert variant="danger" title={`The role ${role} lacks a privilege, so the command fails`}>
          {missing.join(', ')}
        </Alert>
      )}
      {inactive && (
        <Alert
          variant={inactive === 'off' ? 'warning' : 'info'}
          title={inactiveWords(inactive, role)}
        />
      )}
      {failed.map(({ id, name, error }) => (
        <Alert key={id} variant="warning" title={`The policy “${name}” failed`}>
          {error}
        </Alert>
      ))}
      {triggers.length > 0 && (
        <p className="help">
          Before the check, {triggers.length === 1 ? 'the trigger' : 'the triggers'}{' '}
          <span className="mono">{triggers.join(', ')}</span> may change the row. This test does not
          show that.
        </p>
      )}
      {unknown_columns.length > 0 && (
        <p className="help">
          <span className="mono">{unknown_columns.join(', ')}</span> shows NULL: its value would use
          up a number of a sequence.
        </p>
      )}
      {command !== 'INSERT' && <output className="med">{counted(command, rows, more)}</output>}
    </>
  )
}

function counted(command: RlsCommand, rows: readonly RlsRow[], more: boolean): string {
  const reached = rows.filter(({ outcome }) => outcome === 'allowed').length
  const { word } = outcomeWord(command, 'allowed')
  const refused = rows.filter(({ outcome }) => outcome === 'refused').length
  const all = `${rows.length}${more ? ' first' : ''} ${rows.length === 1 ? 'row' : 'rows'}`
  const tail = refused > 0 ? `, ${refused} refused: a refusal fails the whole command` : ''
  return `${word}: ${reached} of ${all}${tail}`
}

type RlsRowsProps = { result: RlsResult; rows: readonly RlsRow[]; command: RlsCommand }

/** Columns that tell a row from another; a wide table has more than anyone reads here. */
const shownCells = 6

/** Row by row: what becomes of it, and what each policy says. */
function RlsRows({ result, rows, command }: RlsRowsProps) {
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
