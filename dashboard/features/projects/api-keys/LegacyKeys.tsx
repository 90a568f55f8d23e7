import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeys, type ApiKey } from '#contract/projects/api-keys'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SecretText } from '../../../ui/text/SecretText.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { useProject } from '../../../session/project/project.ts'
import { useCall } from '../../../api/client.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ofKeys, apiKeysQuery, legacyQuery } from './queries.ts'

/** The two keys that are tokens, and the way to end them. */
export function LegacyKeys({ projectRef }: { projectRef: string }) {
  const why = useDenials(useProject(projectRef))
  const unreadable = why(apiKeys.legacy)
  const off = useDisabledFeatures()
  const keys = useQuery(apiKeysQuery(projectRef))
  const legacy = useQuery({ ...legacyQuery(projectRef), enabled: !unreadable })
  if (unreadable)
    return (
      <Alert variant="neutral" title="Keys are not shown">
        Your role cannot read the keys of this project.
      </Alert>
    )
  const failed = [keys, legacy].find(({ error, data }) => error && !data)
  if (failed?.error)
    return <ErrorNote what="API keys" error={failed.error} onRetry={() => void failed.refetch()} />
  const enabled = legacy.data?.enabled
  return (
    <div className="sections">
      {enabled === false && (
        <Alert variant="warning" title="Legacy API keys are disabled">
          Requests with the anon or service_role key are refused. Clients use publishable and secret
          keys.
        </Alert>
      )}
      {enabled !== false && (
        <Card title="Legacy API keys">
          <div className="form-stack">
            <p className="help">
              Two tokens signed with the legacy JWT secret. You cannot replace them one by one; you
              can with publishable and secret keys.
            </p>
            <LegacyKey keys={keys.data} id="anon" about="For pages and apps." />
            <LegacyKey
              keys={keys.data}
              id="service_role"
              about="For your servers only. Bypasses every policy."
            />
          </div>
        </Card>
      )}
      {enabled !== undefined && !off('project_settings:show_disable_legacy_api_keys') && (
        <LegacySwitch
          projectRef={projectRef}
          enabled={enabled}
          replaced={keys.data?.some(({ type }) => type !== 'legacy') ?? false}
          denied={why(apiKeys.setLegacy)}
        />
      )}
    </div>
  )
}

type Props = { keys: readonly ApiKey[] | undefined; id: 'anon' | 'service_role'; about: string }

function LegacyKey({ keys, id, about }: Props) {
  const text = keys?.find((key) => key.id === id)?.api_key
  return (
    <div className="labelled">
      <span>
        <span className="mono">{id}</span>
        <span className="muted">{about}</span>
      </span>
      {text === undefined ? (
        <div className="in f">
          <Skeleton width="60%" />
        </div>
      ) : id === 'anon' ? (
        <CopyText text={text} what="anon key" />
      ) : (
        <SecretText secret={text} what="service_role key" />
      )}
    </div>
  )
}

type LegacySwitchProps = {
  projectRef: string
  enabled: boolean
  /** There is a key that clients can use instead. */
  replaced: boolean
  denied: string | undefined
}

/** Ends both legacy keys at once, and takes that back. */
function LegacySwitch({ projectRef, enabled, replaced, denied }: LegacySwitchProps) {
  const [asking, setAsking] = useState(false)
  const set = useCall(apiKeys.setLegacy, {
    changes: ofKeys,
    onSuccess: (now) => {
      setAsking(false)
      toast.success(now.enabled ? 'Legacy API keys are enabled' : 'Legacy API keys are disabled')
    },
  })
  return (
    <Card
      title={enabled ? 'Disable legacy API keys' : 'Enable legacy API keys'}
      footer={
        <Button
          size="form"
          variant={enabled ? 'danger' : 'secondary'}
          disabledReason={denied}
          onClick={() => setAsking(true)}
        >
          {enabled ? 'Disable legacy keys' : 'Enable legacy keys'}
        </Button>
      }
    >
      <p className="muted">
        {enabled
          ? 'Disable the legacy keys once every client uses a publishable or secret key. You can enable them again.'
          : 'Enable the legacy keys if a forgotten client needs them until it has a new key.'}
      </p>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={enabled ? 'Disable legacy API keys' : 'Enable legacy API keys'}
        verb={enabled ? 'Disable legacy keys' : 'Enable legacy keys'}
        danger={enabled}
        error={set.error?.message}
        pending={set.isPending}
        onConfirm={() => set.mutate({ ref: projectRef, enabled: !enabled })}
      >
        {enabled ? (
          <>
            <p>
              Every client that sends the anon or service_role key is refused with 401 from its next
              request. This includes people who are signed in through such a client.
            </p>
            {!replaced && (
              <p>This project has no publishable or secret key: no client could reach it.</p>
            )}
          </>
        ) : (
          <p>The anon and service_role keys give access to this project again, as before.</p>
        )}
      </ConfirmDialog>
    </Card>
  )
}
