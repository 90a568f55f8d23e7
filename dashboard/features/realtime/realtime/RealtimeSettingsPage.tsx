import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { realtime } from '#contract/realtime/realtime-config'
import { queryClient, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { UnsavedGate, useUnsaved } from '../../../session/identity/unsaved.tsx'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { FormCard } from '../../../ui/controls/FormCard.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { realtimeQuery } from './queries.ts'
import {
  amounts,
  changesOf,
  problemsIn,
  takesMuch,
  valuesOf,
  type Amount,
  type RealtimeValues,
} from './realtime-values.ts'

const words: Record<Amount, { label: string; help: string; unit: string }> = {
  connection_pool: {
    label: 'Connection pool size',
    help: 'Most connections that the service opens to the database to check policies. Leave empty for the installation default.',
    unit: 'connections',
  },
  max_concurrent_users: {
    label: 'Max concurrent clients',
    help: 'Clients above this limit are refused with 429.',
    unit: 'clients',
  },
  max_events_per_second: {
    label: 'Max events per second',
    help: 'Messages of all clients together. A channel that exceeds this limit is closed.',
    unit: 'events',
  },
  max_bytes_per_second: {
    label: 'Max bytes per second',
    help: 'Broadcasts of all clients together.',
    unit: 'bytes',
  },
  max_channels_per_client: {
    label: 'Max channels per client',
    help: 'Channels that one connection can join at the same time.',
    unit: 'channels',
  },
  max_joins_per_second: {
    label: 'Max joins per second',
    help: 'Channels that all clients together join in a second.',
    unit: 'joins',
  },
  max_presence_events_per_second: {
    label: 'Max presence events per second',
    help: 'How often all clients together can track their presence.',
    unit: 'events',
  },
  max_payload_size_in_kb: {
    label: 'Max payload size',
    help: 'Size of one message.',
    unit: 'KB',
  },
}

/** /project/{ref}/realtime/settings: who may connect, and how much the service carries. */
export function RealtimeSettingsPage({ projectRef }: { projectRef: string }) {
  return (
    <UnsavedGate>
      <Page width="form">
        <PageHead
          title="Realtime settings"
          help="Set who can connect and the limits of the service. Changes take effect at once."
        />
        <SettingsForm projectRef={projectRef} />
      </Page>
    </UnsavedGate>
  )
}

function SettingsForm({ projectRef }: { projectRef: string }) {
  const { data: config } = useSuspenseQuery(realtimeQuery(projectRef))
  const reason = useDenials(useProject(projectRef))(realtime.updateConfig)
  // What was changed here; everything else is as it is saved, also when somebody else saves meanwhile.
  const [typed, setTyped] = useState<Partial<RealtimeValues>>({})
  const [tried, setTried] = useState(false)
  const values = { ...valuesOf(config), ...typed }
  const changes = changesOf(values, config)
  const problems = problemsIn(values, config.limits)
  const dirty = Object.keys(changes).length > 0
  useUnsaved(dirty)
  const save = useCall(realtime.updateConfig, {
    onSuccess: (saved) => {
      queryClient.setQueryData(realtimeQuery(projectRef).queryKey, saved)
      setTyped({})
      setTried(false)
      toast.success('Realtime settings saved')
    },
  })
  const change = (part: Partial<RealtimeValues>) => setTyped((before) => ({ ...before, ...part }))
  const locked = reason !== undefined
  return (
    <FormCard
      title="Settings"
      error={save.error?.message}
      dirty={dirty}
      pending={save.isPending}
      reason={reason}
      onSubmit={() => {
        setTried(true)
        if (Object.keys(problems).length === 0) save.mutate({ ref: projectRef, ...changes })
      }}
      onCancel={() => {
        setTyped({})
        setTried(false)
        save.reset()
      }}
    >
      <div className="form-stack">
        <Checkbox
          label="Enable the realtime service"
          checked={!values.suspend}
          disabled={locked}
          onChange={(event) => change({ suspend: !event.target.checked })}
        />
        {values.suspend && (
          <Alert variant="warning" title="No one can connect while it is off">
            Connected clients are told, and their connections are closed.
          </Alert>
        )}
        <Checkbox
          label="Allow public channels"
          checked={!values.private_only}
          disabled={locked}
          onChange={(event) => change({ private_only: !event.target.checked })}
        />
        <p className="help">
          Without them, clients can join only channels that policies of realtime.messages let them
          read.
        </p>
        {amounts.map((key) => (
          <TextField
            key={key}
            {...words[key]}
            inputMode="numeric"
            autoComplete="off"
            readOnly={locked}
            placeholder={key === 'connection_pool' ? 'Installation default' : undefined}
            value={values[key]}
            error={tried ? problems[key] : undefined}
            onChange={(event) => change({ [key]: event.target.value })}
          />
        ))}
        {takesMuch(values.connection_pool, config.limits) && (
          <Alert variant="warning" title="More than half of the database's connections">
            The database takes {config.limits.connection_pool} in all. The data API, sign-ins and
            direct connections share what is left.
          </Alert>
        )}
      </div>
    </FormCard>
  )
}
