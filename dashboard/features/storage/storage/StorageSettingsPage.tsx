import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { storageSettings, type StorageConfig } from '#contract/storage/storage-settings'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { bytesText } from '../../../ui/text/bytes.ts'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetSettings, settingsQuery } from './queries.ts'
import { bytesOf, limitOf, sizeUnits, type SizeUnit } from './buckets/size-limit.ts'
import { UseCard } from './UseCard.tsx'
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
    onSuccess: async () => {
      toast.success('Upload limit saved')
      await forgetSettings()
    },
  })
  const bytes = bytesOf(limit) ?? Number.NaN
  const most = config.allowed.fileSizeLimit
  const problem = Number.isNaN(bytes)
    ? 'A number above zero'
    : bytes > most
      ? `At most ${bytesText(most)} here`
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
            help={`Buckets can have a lower limit. Plan and installation allow ${bytesText(most)}.`}
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
  const save = useCall(storageSettings.update, { onSuccess: () => forgetSettings() })
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
