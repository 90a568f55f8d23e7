import { type ReactNode, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { offeredParameters, type ParameterGroup } from '#contract/database/database-parameters'
import type { Parameter } from '#contract/database/database-server'
import { migrations } from '#contract/database/migrations'
import { PortProblem } from '../../../modules/database-port/PortProblem.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { serverQuery, settingsQuery } from './queries.ts'
import { SslCard } from './SslCard.tsx'
import { parameterText } from './parameter-text.ts'
import { ParameterPanel } from './ParameterPanel.tsx'
import '../../../ui/lists/list-page.css'

type Props = {
  projectRef: string
  search: string
  onSearch: (search: string) => void
  /** The card that changes the password; undefined where the platform does not keep it. */
  password: ReactNode
}

/** /project/{ref}/database/settings */
export function DatabaseSettingsPage({ projectRef, search, onSearch, password }: Props) {
  return (
    <Page width="list">
      <PageHead
        title="Database settings"
        help="Connection details, the password and Postgres parameters."
      />
      <div className="sections">
        <ConnectionCard projectRef={projectRef} />
        {password}
        <SslCard projectRef={projectRef} />
        <ParametersCard projectRef={projectRef} search={search} onSearch={onSearch} />
      </div>
    </Page>
  )
}

/** Where the database is. The password stands nowhere: it is not kept in a form that could be shown. */
function ConnectionCard({ projectRef }: { projectRef: string }) {
  const query = useQuery(settingsQuery(projectRef))
  const { data: server } = useQuery(serverQuery(projectRef))
  const data = query.data
  if (query.error && !data)
    return <ErrorNote what="Connection" error={query.error} onRetry={() => void query.refetch()} />
  if (!data)
    return (
      <Card title="Connection">
        <Skeleton width="100%" height={160} />
      </Card>
    )
  const port = data.db_port === null ? '' : `:${data.db_port}`
  const ssl = data.ssl_enforced ? '?sslmode=require' : ''
  return (
    <Card title="Connection">
      <div className="form-stack">
        <PortProblem projectRef={projectRef} />
        <CopyText
          text={`postgresql://${data.db_user}:[YOUR-PASSWORD]@${data.db_host}${port}/${data.db_name}${ssl}`}
          what="connection string"
        />
        <dl className="defs">
          <dt>Host</dt>
          <dd className="mono">{data.db_host}</dd>
          <dt>Port</dt>
          <dd className="mono">{data.db_port ?? 'None while the project is not running'}</dd>
          <dt>Database</dt>
          <dd className="mono">{data.db_name}</dd>
          <dt>User</dt>
          <dd className="mono">{data.db_user}</dd>
          {server && (
            <>
              <dt>Version</dt>
              <dd>Postgres {server.version}</dd>
              <dt>Connections</dt>
              <dd>
                {server.connections} of {server.max_connections} in use,{' '}
                {server.reserved_connections} kept for the platform
              </dd>
            </>
          )}
        </dl>
        <p className="help">
          Connections to this port go straight to the database. Programs that open many short
          connections should use the transaction pooler, which Connect shows.
        </p>
      </div>
    </Card>
  )
}

type ParametersCardProps = {
  projectRef: string
  search: string
  onSearch: (search: string) => void
}

const offered = new Map(offeredParameters.map((one) => [one.name.toLowerCase(), one]))

/** Postgres's own parameters: what a session gets, and who decided. */
function ParametersCard({ projectRef, search, onSearch }: ParametersCardProps) {
  const query = useQuery(serverQuery(projectRef))
  const [open, setOpen] = useState<Parameter>()
  const why = useDenials(useProject(projectRef))(migrations.change)
  const words = search.toLowerCase()
  const rows = query.data?.parameters
    .map((parameter): ParameterRow => {
      const known = offered.get(parameter.name.toLowerCase())
      return { ...parameter, group: known?.group ?? 'Server', about: known?.about ?? '' }
    })
    .filter(({ name, about, group }) => `${name} ${about} ${group}`.toLowerCase().includes(words))
  return (
    <Card
      title="Postgres parameters"
      padded={false}
      end={<SearchField label="Find a parameter" value={search} onChange={onSearch} />}
    >
      <Table
        label="Postgres parameters"
        rowHeight={60}
        columns={parameterColumns(setOpen)}
        rows={rows}
        keyOf={({ name }) => name}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyState
            icon={SlidersHorizontal}
            title="No parameter found"
            action={<Button onClick={() => onSearch('')}>Show all</Button>}
          >
            None has “{search}” in its name or description. Others can be set by SQL.
          </EmptyState>
        }
      />
      {open && query.data && (
        <ParameterPanel
          key={open.name}
          projectRef={projectRef}
          database={query.data.database}
          parameter={query.data.parameters.find(({ name }) => name === open.name) ?? open}
          about={offered.get(open.name.toLowerCase())?.about ?? ''}
          why={why}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  )
}

type ParameterRow = Parameter & { group: ParameterGroup; about: string }

const parameterColumns = (onOpen: (row: Parameter) => void): Column<ParameterRow>[] => [
  {
    id: 'name',
    head: 'Parameter',
    sortBy: ({ name }) => name,
    cell: ({ name, about }) => (
      <div className="two-lines">
        <span className="mono">{name}</span>
        <span className="muted ell" title={about}>
          {about}
        </span>
      </div>
    ),
  },
  {
    id: 'group',
    head: 'Kind',
    width: '110px',
    wideOnly: true,
    sortBy: ({ group }) => group,
    cell: ({ group }) => <span className="muted">{group}</span>,
  },
  {
    id: 'value',
    head: 'Value',
    width: '170px',
    cell: ({ setting, unit }) => (
      <span className="mono ell">{parameterText(setting, unit) || '(empty)'}</span>
    ),
  },
  {
    id: 'from',
    head: 'Set by',
    width: '130px',
    sortBy: ({ role_value: ofRole, database_value: own, roles }) =>
      ofRole === null && own === null ? roles.length : -1,
    cell: ({ role_value: ofRole, database_value: own, context, pending_restart: pending }) => (
      <span className="badges">
        {ofRole === null && own === null && <span className="muted">Server</span>}
        {ofRole === null && own !== null && <Badge tone="info">Database</Badge>}
        {ofRole !== null && <Badge tone="info">Role postgres</Badge>}
        {pending && <Badge tone="warning">Restart pending</Badge>}
        {context === 'postmaster' && !pending && <span className="faint">restart</span>}
      </span>
    ),
  },
  {
    id: 'act',
    head: 'Action',
    hideHead: true,
    width: '80px',
    numeric: true,
    cell: (row) => (
      <Button
        aria-label={`${row.may_set ? 'Change' : 'View'} ${row.name}`}
        onClick={() => onOpen(row)}
      >
        {row.may_set ? 'Change' : 'View'}
      </Button>
    ),
  },
]
