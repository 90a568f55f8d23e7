import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { projects } from '#contract/projects/projects'
import { serviceRestarts } from '#contract/projects/service-restarts'
import type { Project } from '#contract/projects/projects'
import { useCall } from '../../../api/client.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { statusQuery } from '../../../session/organization/mode.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { setProjectStatus } from '../../../session/project/set-project-status.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { restartsQuery, versionsQuery } from './queries.ts'
import {
  canRestart,
  listedServices,
  restartWords,
  serviceNames,
  serviceNotes,
  type ListedService,
  type Restartable,
} from './service-words.ts'

/** The services of a project: what each is, which version runs, and a restart of its own. */
export function ServicesCard({ project }: { project: Project }) {
  const { ref, status, organization_slug: organizationSlug } = project
  const denied = useDenials({ organizationSlug, projectRef: ref })
  const off = useDisabledFeatures()
  const [asking, setAsking] = useState<Restartable>()
  const isUp = status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY'
  const why = (service: Restartable) =>
    denied(service === 'db' ? projects.restart : serviceRestarts.restart) ??
    (isUp ? undefined : `The project is ${statusView(status).label.toLowerCase()}`)
  const action: Column<ListedService> = {
    id: 'restart',
    head: 'Restart',
    hideHead: true,
    width: '104px',
    numeric: true,
    cell: (service) =>
      canRestart(service) && (
        <Button
          aria-label={`Restart ${serviceNames[service]}`}
          disabledReason={why(service)}
          onClick={() => setAsking(service)}
        >
          Restart
        </Button>
      ),
  }
  return (
    <Card title="Services" padded={false}>
      <div className="infra-services">
        <Table
          label="Services"
          columns={[...columns(ref), ...(off('project_settings:restart_project') ? [] : [action])]}
          rows={listedServices}
          keyOf={String}
          rowHeight={60}
          empty={null}
        />
      </div>
      {asking && (
        <RestartDialog projectRef={ref} service={asking} onClose={() => setAsking(undefined)} />
      )}
    </Card>
  )
}

const columns = (projectRef: string): Column<ListedService>[] => [
  {
    id: 'service',
    head: 'Service',
    cell: (service) => (
      <>
        {serviceNames[service]}
        <span className="choice-help">{serviceNotes[service]}</span>
      </>
    ),
  },
  {
    id: 'version',
    head: 'Version',
    width: '150px',
    wideOnly: true,
    cell: (service) => <Version {...{ projectRef, service }} />,
  },
  {
    id: 'restarted',
    head: 'Last restart',
    width: '140px',
    wideOnly: true,
    cell: (service) => <LastRestart {...{ projectRef, service }} />,
  },
]

type CellProps = { projectRef: string; service: ListedService }
const unknown = <span className="faint">-</span>

/** Of the database its own; what answers beside it is a part of the installation. */
function Version({ projectRef, service }: CellProps) {
  const database = useQuery({ ...versionsQuery(projectRef), enabled: service === 'db' })
  const installation = useQuery(statusQuery)
  if (service === 'db') return database.data ? <>PostgreSQL {database.data.current}</> : unknown
  return installation.data ? <>Plinth {installation.data.version}</> : unknown
}

function LastRestart({ projectRef, service }: CellProps) {
  const { data, isPending, error } = useQuery(restartsQuery(projectRef))
  if (service === 'db')
    // The server also restarts by itself; a chart counts all of it.
    return (
      <Link to="/project/$ref/reports/$report" params={{ ref: projectRef, report: 'database' }}>
        In reports
      </Link>
    )
  if (!canRestart(service)) return unknown
  if (error && !data) return <span className="faint">Not known now</span>
  if (isPending) return <Skeleton width={84} />
  const at = data?.find((one) => one.service === service)?.restarted_at
  return at == null ? unknown : <Ago at={at} />
}

type DialogProps = { projectRef: string; service: Restartable; onClose: () => void }

function RestartDialog({ projectRef: ref, service, onClose }: DialogProps) {
  const name = serviceNames[service]
  const done = () => {
    onClose()
    toast.success(`${name} restarts`)
  }
  const one = useCall(serviceRestarts.restart, {
    changes: [serviceRestarts.list],
    onSuccess: done,
  })
  const database = useCall(projects.restart, {
    onAnswer: () => setProjectStatus(ref, 'RESTARTING'),
    changes: [projects.status, projects.detail],
    onSuccess: done,
  })
  const [cut, kept] = restartWords[service]
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Restart ${name}`}
      verb="Restart"
      danger={false}
      error={(service === 'db' ? database : one).error?.message}
      pending={one.isPending || database.isPending}
      onConfirm={() => (service === 'db' ? database.mutate({ ref }) : one.mutate({ ref, service }))}
    >
      <p>{cut}</p>
      <p className="muted">{kept}</p>
    </ConfirmDialog>
  )
}
