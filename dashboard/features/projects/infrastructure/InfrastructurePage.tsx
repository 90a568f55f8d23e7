import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { ServerCog } from 'lucide-react'
import { useState } from 'react'
import { upgrades } from '#contract/projects/upgrades'
import type { Project } from '#contract/projects/projects'
import { weekdays, type MaintenanceWindow } from '#contract/projects/upgrades'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Card, WaitingCard } from '../../../ui/Card.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import type { InfrastructureParams } from './infrastructure-params.ts'
import { versionsQuery } from './queries.ts'
import { ResourceCharts } from './ResourceCharts.tsx'
import { ServicesCard } from './ServicesCard.tsx'
import { VersionCard } from './VersionCard.tsx'

type PageProps = {
  projectRef: string
  params: InfrastructureParams
  onParams: (params: InfrastructureParams) => void
}

/** /project/{ref}/settings/infrastructure */
export function InfrastructurePage({ projectRef, params, onParams }: PageProps) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  return (
    <Page width="list">
      <PageHead
        title="Infrastructure"
        help="Versions and restarts of the services, and what the database server uses over time."
      />
      <div className="sections">
        <Versions project={project} />
        <ServicesCard project={project} />
        <ResourceCharts {...{ projectRef, params, onParams }} />
      </div>
    </Page>
  )
}

const title = 'Postgres version'

function Versions({ project }: { project: Project }) {
  const { data, error, refetch } = useQuery(versionsQuery(project.ref))
  if (error?.reason === 'not_on_this_installation')
    return (
      <Card title={title} padded={false}>
        <EmptyState icon={ServerCog} title="This database runs on a server of its operator">
          Plinth does not manage that server, so its version cannot be changed here.
        </EmptyState>
      </Card>
    )
  if (!data)
    return <WaitingCard title={title} what={title} height={96} error={error} onRetry={refetch} />
  return (
    <>
      <VersionCard project={project} versions={data} />
      <MaintenanceCard key={JSON.stringify(data.window)} project={project} window={data.window} />
    </>
  )
}

type Props = { project: Project; window: MaintenanceWindow | null }

const never = 'never'
const days = [
  { value: never, label: 'Never by itself' },
  ...weekdays.map((label, weekday) => ({ value: String(weekday), label })),
]
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00 UTC`,
}))

/** The hour of the week in which a project moves to a version that was installed meanwhile. */
function MaintenanceCard({ project, window }: Props) {
  const { ref, organization_slug: organizationSlug } = project
  const [day, setDay] = useState(window ? String(window.weekday) : never)
  const [hour, setHour] = useState(String(window?.hour ?? 3))
  const denied = useDenials({ organizationSlug, projectRef: ref })(upgrades.setWindow)
  const save = useCall(upgrades.setWindow, { changes: [upgrades.get] })
  const wanted = day === never ? null : { weekday: Number(day), hour: Number(hour) }
  const isSame = JSON.stringify(wanted) === JSON.stringify(window)
  return (
    <Card
      title="Maintenance window"
      footer={
        <Button
          size="form"
          variant="primary"
          busy={save.isPending}
          disabledReason={denied ?? (isSame ? 'Nothing is changed' : undefined)}
          onClick={() => save.mutate({ ref, window: wanted })}
        >
          Save
        </Button>
      }
    >
      <div className="form-stack">
        <p className="muted">
          In this hour of the week the project moves by itself to the installed version of Postgres.
          The database restarts once. A version with which it did not start is not tried again.
        </p>
        <SelectField
          label="Day"
          options={days}
          value={day}
          disabled={denied !== undefined}
          onChange={setDay}
        />
        {day !== never && (
          <SelectField
            label="Hour"
            options={hours}
            value={hour}
            disabled={denied !== undefined}
            onChange={setHour}
          />
        )}
        {save.error && <ErrorNote what="The window" error={save.error} />}
      </div>
    </Card>
  )
}
