import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Pause, Play, ScrollText, SearchX } from 'lucide-react'
import { useState } from 'react'
import {
  installationPrograms,
  type InstallationEntry,
  type InstallationLevel,
} from '#contract/operations/installation-logs'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { type Column, PagedTable } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { Status, type StatusTone } from '../../../ui/text/Status.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { Facts } from './Facts.tsx'
import { logsQuery, readNewer, type LogFilter } from './queries.ts'
import './installation.css'

const everyMs = 2000

const levels: Record<InstallationLevel, { tone: StatusTone; label: string; filter: string }> = {
  debug: { tone: 'off', label: 'Debug', filter: 'All levels' },
  info: { tone: 'off', label: 'Info', filter: 'Info and above' },
  warn: { tone: 'warning', label: 'Warning', filter: 'Warnings and errors' },
  error: { tone: 'danger', label: 'Error', filter: 'Errors' },
}
const levelOptions = (['debug', 'info', 'warn', 'error'] as const).map((value) => ({
  value,
  label: levels[value].filter,
}))
const anyProgram = 'all'
const programOptions = [
  { value: anyProgram, label: 'All programs' },
  ...installationPrograms.map((value) => ({ value, label: value })),
]

type Props = { filter: LogFilter; onFilter: (filter: LogFilter) => void }

/** /operator/logs: what the programs of the installation write. */
export function LogsPage({ filter, onFilter }: Props) {
  const [isLive, setLive] = useState(true)
  const [open, setOpen] = useState<InstallationEntry>()
  const query = useInfiniteQuery({ ...logsQuery(filter), placeholderData: keepPreviousData })
  const { error } = useQuery({
    queryKey: ['installationLogs.live', filter],
    queryFn: async ({ signal }) => {
      await readNewer(filter, signal)
      return null
    },
    enabled: isLive && query.isSuccess && !query.isPlaceholderData,
    refetchInterval: everyMs,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const pages = query.data?.pages
  const entries = pages?.flatMap((page) => page.entries)
  const absent = pages?.[0]?.absent
  const isFiltered = Boolean(filter.find ?? filter.level ?? filter.program)
  return (
    <Page>
      <PageHead
        title="Logs"
        help="What the programs of this installation write. Projects have logs of their own."
        actions={
          <Button
            icon={isLive ? Pause : Play}
            aria-pressed={isLive}
            onClick={() => setLive(!isLive)}
          >
            {isLive ? 'Pause' : 'Live'}
          </Button>
        }
      />
      <div className="narrow-bar">
        <SearchField
          label="Find in logs"
          value={filter.find ?? ''}
          onChange={(find) => onFilter({ ...filter, find })}
        />
        <div className="narrow-select">
          <Select
            label="Level"
            size="tool"
            options={levelOptions}
            value={filter.level ?? 'debug'}
            onChange={(level) => onFilter(withLevel(filter, level))}
          />
        </div>
        <div className="narrow-select">
          <Select
            label="Program"
            size="tool"
            options={programOptions}
            value={filter.program ?? anyProgram}
            onChange={(value) => onFilter(withProgram(filter, value))}
          />
        </div>
      </div>
      {error && isLive && (
        <div className="install-log-note">
          <Alert variant="warning" title="New entries could not be loaded">
            {error.message}. The page tries again every 2 seconds.
          </Alert>
        </div>
      )}
      {absent ? (
        <EmptyState icon={ScrollText} title="No logs are kept here">
          {absent}
        </EmptyState>
      ) : (
        <PagedTable
          label="Logs of this installation"
          columns={columns(setOpen)}
          rows={entries}
          keyOf={({ id }) => id}
          query={query}
          empty={<Nothing isFiltered={isFiltered} onClear={() => onFilter({})} />}
        />
      )}
      <SidePanel
        open={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={open && levels[open.level].label}
      >
        {open && <Details entry={open} />}
      </SidePanel>
    </Page>
  )
}

const withLevel = (filter: LogFilter, level: InstallationLevel): LogFilter => ({
  ...without(filter, 'level'),
  ...(level === 'debug' ? {} : { level }),
})

function withProgram(filter: LogFilter, value: string): LogFilter {
  const program = installationPrograms.find((one) => one === value)
  return { ...without(filter, 'program'), ...(program ? { program } : {}) }
}

function without(filter: LogFilter, name: keyof LogFilter): LogFilter {
  const rest = { ...filter }
  delete rest[name]
  return rest
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState
      icon={SearchX}
      title="Nothing found"
      action={<Button onClick={onClear}>Clear filters</Button>}
    >
      No entry matches these filters. If more is kept, load older entries.
    </EmptyState>
  ) : (
    <EmptyState icon={ScrollText} title="Nothing yet">
      The programs write warnings and errors. LOG_LEVEL=info makes them write more.
    </EmptyState>
  )
}

function Details({ entry: { timestamp, program, message, detail } }: { entry: InstallationEntry }) {
  return (
    <div className="form-stack">
      <Facts
        facts={[
          ['When', exactTime(new Date(timestamp))],
          ['Program', program],
          ['Message', message],
        ]}
      />
      {detail !== '' && <CodeBlock code={detail} language="js" what="details" />}
    </div>
  )
}

const columns = (onOpen: (entry: InstallationEntry) => void): Column<InstallationEntry>[] => [
  {
    id: 'when',
    head: 'When',
    width: '200px',
    wideOnly: true,
    cell: ({ timestamp }) => (
      <span className="mono t12">{exactTime(new Date(timestamp)).replace(/ \(.*/, '')}</span>
    ),
  },
  {
    id: 'level',
    head: 'Level',
    width: '100px',
    cell: ({ level }) => (
      <Status small tone={levels[level].tone}>
        {levels[level].label}
      </Status>
    ),
  },
  {
    id: 'program',
    head: 'Program',
    width: '120px',
    wideOnly: true,
    cell: ({ program }) => <span className="mono t12">{program}</span>,
  },
  {
    id: 'message',
    head: 'Message',
    cell: (entry) => (
      <button type="button" className="link install-log-message" onClick={() => onOpen(entry)}>
        {entry.message || 'No message'}
      </button>
    ),
  },
]
