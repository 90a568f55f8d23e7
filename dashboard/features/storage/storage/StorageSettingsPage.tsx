import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { storageSettings, type StorageConfig } from '#contract/storage/storage-settings'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Meter } from '../../../ui/Meter.tsx'
import { numberText, bytesText } from '../../../ui/text/number.ts'
import { ofSettings, settingsQuery, monthQuery, usageQuery } from './queries.ts'
import { bytesOf, limitOf, sizeUnits, type SizeUnit } from './buckets/size-limit.ts'
import './storage.css'

/** /project/{ref}/storage/settings: what holds for all buckets. */
export function StorageSettingsPage({ projectRef }: { projectRef: string }) {
  const query = useQuery(settingsQuery(projectRef))
  return (
    <Page width="form">
      <PageHead
        title="Storage settings"
        help="Settings that apply to every bucket of the project."
      />
      {query.error && (
        <ErrorNote what="Settings" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <Skeleton width="60%" />}
      {query.data && (
        <div className="sections">
          <UseCard projectRef={projectRef} />
          <LimitCard
            // What is saved elsewhere begins the form anew.
            key={query.data.fileSizeLimit}
            projectRef={projectRef}
            config={query.data}
          />
          <ImagesCard projectRef={projectRef} config={query.data} />
        </div>
      )}
    </Page>
  )
}

type CardProps = { projectRef: string; config: StorageConfig }

function LimitCard({ projectRef, config }: CardProps) {
  const [limit, setLimit] = useState(() => limitOf(config.fileSizeLimit))
  const denied = useDenials(useProject(projectRef))(storageSettings.update)
  const save = useCall(storageSettings.update, {
    changes: ofSettings,
    onSuccess: () => {
      toast.success('Upload limit saved')
    },
  })
  const bytes = bytesOf(limit) ?? Number.NaN
  const max = config.allowed.fileSizeLimit
  const problem = Number.isNaN(bytes)
    ? 'A number above zero'
    : bytes > max
      ? `At most ${bytesText(max)} here`
      : undefined
  const changed = bytes !== config.fileSizeLimit
  return (
    <Card
      title="Upload limit"
      footer={
        <Button
          size="form"
          variant="primary"
          busy={save.isPending}
          disabled={!changed}
          disabledReason={denied}
          onClick={() => !problem && save.mutate({ ref: projectRef, fileSizeLimit: bytes })}
        >
          Save limit
        </Button>
      }
    >
      <div className="form-stack">
        <div className="field-pair">
          <TextField
            label="Maximum file size"
            inputMode="decimal"
            autoComplete="off"
            disabled={denied !== undefined}
            help={`Buckets can have a lower limit. Plan and installation allow ${bytesText(max)}.`}
            error={changed ? problem : undefined}
            value={limit.text}
            onChange={(event) => setLimit({ ...limit, text: event.target.value })}
          />
          <SelectField<SizeUnit>
            label="Unit"
            disabled={denied !== undefined}
            options={sizeUnits.map((unit) => ({ value: unit, label: unit }))}
            value={limit.unit}
            onChange={(unit) => setLimit({ ...limit, unit })}
          />
        </div>
        {save.error && <Alert variant="danger" title={save.error.message} />}
      </div>
    </Card>
  )
}

function ImagesCard({ projectRef, config }: CardProps) {
  const denied = useDenials(useProject(projectRef))(storageSettings.update)
  const save = useCall(storageSettings.update, { changes: ofSettings })
  const notInPlan = config.allowed.imageTransformation
    ? undefined
    : "This organization's plan does not include this."
  const { enabled } = config.features.imageTransformation
  return (
    <Card title="Images">
      {save.error && <Alert variant="danger" title={save.error.message} />}
      <Switch
        label="Image transformations"
        help={denied ?? notInPlan ?? 'Resizes, crops and converts images through their URL.'}
        checked={enabled}
        disabled={denied !== undefined || notInPlan !== undefined || save.isPending}
        onChange={(next) =>
          save.mutate({ ref: projectRef, features: { imageTransformation: { enabled: next } } })
        }
      />
    </Card>
  )
}

/** What the project's storage takes and gives away, beside what the plan includes. */
function UseCard({ projectRef }: { projectRef: string }) {
  const stored = useQuery(usageQuery(projectRef))
  const { data, error, refetch } = useQuery(monthQuery(projectRef))
  const title = data?.included === null ? 'Usage' : 'Usage of the plan'
  const sum = stored.data?.buckets.reduce((all, { bytes }) => all + bytes, 0)
  const trash = stored.data?.trash.bytes ?? 0
  if (error && !data)
    return (
      <Card title={title}>
        <ErrorNote what="Use" error={error} onRetry={() => void refetch()} />
      </Card>
    )
  const included = data?.included
  const bounds = {
    stored: included?.stored_bytes,
    egress: included?.egress_bytes,
    images: included?.rendered_images,
  }
  return (
    <Card title={title}>
      <dl className="storage-use">
        <Line
          name="Stored"
          used={sum === undefined ? undefined : sum + trash}
          failure={stored.error ? 'Unavailable while the database is down' : undefined}
          max={bounds.stored}
          text={bytesText}
          help={
            trash > 0 ? `${bytesText(trash)} of it is in the trash.` : 'None of it is in the trash.'
          }
        />
        <Line
          name="Egress this month"
          used={data?.egress_bytes}
          max={bounds.egress}
          text={bytesText}
          help="Data sent to clients: downloads of every kind, and rendered images."
        />
        <Line
          name="Images this month"
          used={data?.rendered_images}
          max={bounds.images}
          text={numberText}
          help="Stored images that were rendered. Each counts once a month, in any number of sizes."
        />
      </dl>
      {included && (
        <p className="muted">
          Months begin in UTC. All projects of the organization share what the plan includes.
        </p>
      )}
    </Card>
  )
}

type LineProps = {
  name: string
  used: number | undefined
  /** Null: no bound. Undefined: there are no plans here, or nobody knows yet. */
  max: number | null | undefined
  text: (amount: number) => string
  help: string
  failure?: string | undefined
}

function Line({ name, used, max, text, help, failure }: LineProps) {
  const percent = used !== undefined && max ? (used / max) * 100 : 0
  const bound = max === undefined ? '' : max === null ? ', unlimited' : ` of ${text(max)}`
  return (
    <div>
      <dt>{name}</dt>
      <dd className="storage-use-text">
        {failure ??
          (used === undefined ? (
            <Skeleton width="72px" />
          ) : (
            text(used) + (max === 0 ? ', not included' : bound)
          ))}
      </dd>
      <dd className="storage-use-more">
        {max ? (
          <Meter
            percent={percent}
            label={name}
            tone={percent > 95 ? 'danger' : percent > 80 ? 'warning' : 'neutral'}
          />
        ) : null}
        <span className="muted">{help}</span>
      </dd>
    </div>
  )
}
