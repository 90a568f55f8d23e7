import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Download, Gauge, RefreshCw, RotateCcw, SearchX } from 'lucide-react'
import { useState } from 'react'
import { queryPerformance, type Statement } from '#contract/observability/query-performance'
import { enableExtension } from '#contract/ddl/extensions'
import { migrations } from '#contract/database/migrations'
import { useDenials } from '../../../session/organization/permissions.ts'
import { projectQuery, useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { exactTime } from '../../../ui/text/time.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { sortOf, statementsQuery, type PerformanceFilter } from './queries.ts'
import { statementColumns } from './statement-columns.tsx'
import { StatementPanel } from './StatementPanel.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { csvOf } from './figures.ts'
import '../../../ui/lists/list-page.css'
import './query-performance.css'

type Props = {
  projectRef: string
  filter: PerformanceFilter
  onFilter: (filter: PerformanceFilter) => void
}

const tabs = [
  { id: 'total_time', label: 'Most time consuming' },
  { id: 'calls', label: 'Most frequent' },
  { id: 'mean_time', label: 'Slowest' },
  { id: 'rows', label: 'Most rows' },
  { id: 'cache_hit', label: 'Most read from disk' },
] as const

/** One statement may have run as several roles. */
const keyOf = ({ queryid, role, query }: Statement) => `${queryid ?? query}.${role}`

/** A new project begins with the figures of the server that it was copied from. */
function useSince(projectRef: string, since: string | null | undefined): string | undefined {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  if (!since) return undefined
  return Date.parse(since) < Date.parse(project.inserted_at) ? project.inserted_at : since
}

/** /project/{ref}/advisors/query-performance: what the database spends its time on. */
export function QueryPerformancePage({ projectRef, filter, onFilter }: Props) {
  const query = useQuery({
    ...statementsQuery(projectRef, filter),
    placeholderData: keepPreviousData,
  })
  const [resetting, setResetting] = useState(false)
  const denials = useDenials(useProject(projectRef))
  const { data } = query
  const since = useSince(projectRef, data?.since)
  const statements = data?.statements
  const sort = sortOf(filter)
  const narrowed = Boolean(filter.q || filter.roles || filter.calls)
  const open = statements?.find((one) => keyOf(one) === filter.statement)
  const nothing = statements?.length === 0 && 'There is nothing to save'
  return (
    <Page>
      <PageHead
        title="Query performance"
        help={
          since
            ? `Every statement since ${exactTime(new Date(since))}, without its values.`
            : 'Statements that take the most database time.'
        }
        actions={
          <>
            <IconButton
              icon={RotateCcw}
              variant="secondary"
              label="Reset figures"
              disabledReason={denials(queryPerformance.reset)}
              onClick={() => setResetting(true)}
            />
            <IconButton
              icon={Download}
              variant="secondary"
              label="Download as CSV"
              disabledReason={statements ? nothing : 'The list is still loading'}
              onClick={() => void downloadCsv(statements ?? [])}
            />
            <Button icon={RefreshCw} busy={query.isFetching} onClick={() => void query.refetch()}>
              Refresh
            </Button>
          </>
        }
      />
      {data && data.state !== 'ready' ? (
        <NotReady projectRef={projectRef} state={data.state} />
      ) : (
        <>
          <div className="tabs-scroll">
            <Tabs
              label="Order"
              tabs={tabs}
              value={tabs.find(({ id }) => id === sort)?.id ?? 'total_time'}
              onChange={(next) => onFilter({ ...filter, sort: next })}
            />
          </div>
          <PerformanceFilters filter={filter} roles={data?.roles ?? []} onFilter={onFilter} />
          <div className="card" aria-busy={query.isPlaceholderData || undefined}>
            <Table
              key={sort}
              label="Statements"
              columns={statementColumns((one) => onFilter({ ...filter, statement: keyOf(one) }))}
              rows={statements}
              keyOf={keyOf}
              error={query.error}
              onRetry={() => void query.refetch()}
              empty={
                narrowed ? (
                  <EmptyState
                    icon={SearchX}
                    title="No statement found"
                    action={<Button onClick={() => onFilter({ sort })}>Clear filters</Button>}
                  >
                    No statement matches these filters.
                  </EmptyState>
                ) : (
                  <EmptyState
                    icon={Gauge}
                    title="No statements yet"
                    action={<Button onClick={() => void query.refetch()}>Check again</Button>}
                  >
                    Statements appear here as soon as they run.
                  </EmptyState>
                )
              }
            />
          </div>
        </>
      )}
      <StatementPanel
        projectRef={projectRef}
        statement={open}
        onClose={() => onFilter({ ...filter, statement: undefined })}
      />
      {resetting && <ResetDialog projectRef={projectRef} onClose={() => setResetting(false)} />}
    </Page>
  )
}

async function downloadCsv(statements: readonly Statement[]): Promise<void> {
  saveFile('query-performance.csv', await csvOf(statements), 'text/csv')
}

type ResetDialogProps = { projectRef: string; onClose: () => void }

function ResetDialog({ projectRef, onClose }: ResetDialogProps) {
  const reset = useDatabaseCall(queryPerformance.reset, {
    changes: [queryPerformance.list],
    onSuccess: () => {
      toast.success('Statistics reset')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      title="Reset figures"
      verb="Reset figures"
      error={reset.error?.message}
      pending={reset.isPending}
      onClose={onClose}
      onConfirm={() => reset.mutate({ ref: projectRef })}
    >
      <p>
        This deletes the figures of every statement of this database. Trends recorded until now
        stay.
      </p>
    </ConfirmDialog>
  )
}

type NotReadyProps = { projectRef: string; state: 'not_installed' | 'not_loaded' }

/** Why there are no figures, and what brings them. */
function NotReady({ projectRef, state }: NotReadyProps) {
  const { ask, dialog } = useReview(projectRef, queryPerformance.list)
  const why = useDenials(useProject(projectRef))(migrations.change)
  if (state === 'not_loaded')
    return (
      <div className="card">
        <EmptyState icon={Gauge} title="This server does not count statements">
          It was started without the library pg_stat_statements. Its operator can add that to
          shared_preload_libraries and restart it.
        </EmptyState>
      </div>
    )
  return (
    <div className="card">
      <EmptyState
        icon={Gauge}
        title="Statements are not counted yet"
        action={
          <Button
            variant="primary"
            disabledReason={why}
            onClick={() =>
              ask({
                change: enableExtension({ name: 'pg_stat_statements', schema: 'extensions' }),
                title: 'Count statements',
                verb: 'Create extension',
                done: 'Statements are counted from now on',
              })
            }
          >
            Create extension
          </Button>
        }
      >
        The extension pg_stat_statements keeps how often and how long each statement ran.
      </EmptyState>
      {dialog}
    </div>
  )
}

type PerformanceFiltersProps = {
  filter: PerformanceFilter
  roles: readonly string[]
  onFilter: (filter: PerformanceFilter) => void
}

/** Chosen first of all, and shown while nothing is chosen. */
const any = ''
const callSteps = ['10', '100', '1000', '10000']

function PerformanceFilters({ filter, roles, onFilter }: PerformanceFiltersProps) {
  const { q = '', roles: role = any, calls = any, whose, sort } = filter
  const known = role === any || roles.includes(role) ? roles : [...roles, role]
  return (
    <div className="narrow-bar performance-bar">
      <SearchField
        label="Find in the text"
        value={q}
        onChange={(next) => onFilter({ ...filter, q: next })}
      />
      <div className="narrow-select">
        <Select
          size="tool"
          label="Role"
          value={role}
          options={[
            { value: any, label: 'Any role' },
            ...known.map((name) => ({ value: name, label: name })),
          ]}
          onChange={(next) => onFilter({ ...filter, roles: next })}
        />
      </div>
      <div className="narrow-select">
        <Select
          size="tool"
          label="Minimum calls"
          value={calls}
          options={[
            { value: any, label: 'Any number of calls' },
            ...callSteps.map((least) => ({
              value: least,
              label: `${numberText(Number(least))} calls or more`,
            })),
          ]}
          onChange={(next) => onFilter({ ...filter, calls: next })}
        />
      </div>
      <Segmented
        label="Whose statements"
        value={whose === 'all' ? 'all' : 'own'}
        options={[
          { value: 'own', label: 'Yours' },
          { value: 'all', label: 'Platform too' },
        ]}
        onChange={(next) => onFilter({ ...filter, whose: next === 'all' ? next : undefined })}
      />
      {(q || role || calls) && (
        <Button variant="ghost" onClick={() => onFilter({ sort, whose })}>
          Clear
        </Button>
      )}
    </div>
  )
}
