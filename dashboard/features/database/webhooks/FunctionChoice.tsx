import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { apiKeys } from '#contract/projects/api-keys'
import { inProject } from '#contract/permissions'
import { call, messageOf } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { pair } from './pairs.ts'
import { functionsQuery } from './queries.ts'
import type { FieldsProps } from './WebhookFields.tsx'

/** Chooses one of the project's edge functions. */
export function FunctionChoice({ projectRef, draft, problems, change }: FieldsProps) {
  const { data, error } = useQuery(functionsQuery(projectRef))
  const chosen = data?.find(({ slug }) => slug === draft.slug)
  const gone = data !== undefined && draft.slug !== '' && !chosen
  const options = (data ?? []).map(({ slug, name }) => ({
    value: slug,
    label: slug,
    detail: name === slug ? undefined : name,
  }))
  const hasToken = draft.headers.some(({ name }) => name.trim().toLowerCase() === 'authorization')
  return (
    <>
      <SelectField
        label="Edge function"
        // One that is not listed is kept and shown.
        options={
          draft.slug === '' || chosen
            ? options
            : [{ value: draft.slug, label: draft.slug }, ...options]
        }
        value={draft.slug === '' ? undefined : draft.slug}
        error={problems.slug ?? error?.message}
        help={
          gone
            ? 'This project has no function with this name: calls return 404.'
            : data?.length === 0
              ? 'This project has no functions yet. Create one on the Edge functions page.'
              : undefined
        }
        onChange={(slug) => change({ slug })}
      />
      {chosen?.verify_jwt && !hasToken && (
        <ServiceKey
          projectRef={projectRef}
          onKey={(key) =>
            change({ headers: [...draft.headers, pair('Authorization', `Bearer ${key}`)] })
          }
        />
      )}
    </>
  )
}

type KeyProps = { projectRef: string; onKey: (key: string) => void }

const needs = inProject('read:Read', 'service_api_keys.service_role_key')

/** For a function that takes only requests with a token of the project: adds one, if somebody wants that. */
function ServiceKey({ projectRef, onKey }: KeyProps) {
  const why = useDenials(useProject(projectRef))
  const [reading, setReading] = useState(false)

  async function add() {
    setReading(true)
    try {
      // Read for this only and kept nowhere else.
      const key = (await call(apiKeys.list, { ref: projectRef })).find(
        ({ id }) => id === 'service_role',
      )
      if (key) onKey(key.api_key)
      else toast.error('The legacy keys of this project are disabled: there is no such key')
    } catch (error) {
      toast.error(`The key could not be read: ${messageOf(error)}`)
    }
    setReading(false)
  }

  return (
    <Alert variant="warning" title="This function requires a token, and the webhook sends none">
      <div className="stack">
        <p>
          Without one, its calls return 401. Let the function accept requests without a token (on
          its Details page), or let the webhook send the service key. That key passes every policy.
          It is stored in the trigger definition and the recorded migration, where anyone who can
          read the database’s catalog or its migrations can read it.
        </p>
        <div>
          <Button
            icon={KeyRound}
            busy={reading}
            disabledReason={why({ needs })}
            onClick={() => void add()}
          >
            Send the service key
          </Button>
        </div>
      </div>
    </Alert>
  )
}
