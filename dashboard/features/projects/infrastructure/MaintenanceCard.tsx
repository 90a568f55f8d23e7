import { useState } from 'react'
import { api } from '#contract/api'
import type { Project } from '#contract/projects/projects'
import { weekdays, type MaintenanceWindow } from '#contract/projects/upgrades'
import { forget, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'

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
export function MaintenanceCard({ project, window }: Props) {
  const { ref, organization_slug: organizationSlug } = project
  const [day, setDay] = useState(window ? String(window.weekday) : never)
  const [hour, setHour] = useState(String(window?.hour ?? 3))
  const denied = useDenials({ organizationSlug, projectRef: ref })(api.upgrades.setWindow)
  const save = useCall(api.upgrades.setWindow, { onSuccess: () => forget(api.upgrades.get) })
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
