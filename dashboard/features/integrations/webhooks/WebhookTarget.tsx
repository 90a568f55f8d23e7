import { Plus, Trash2, KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { webhookMethods, webhookTimeout } from '#contract/integrations/webhooks'
import { apiKeys } from '#contract/projects/api-keys'
import { inProject } from '#contract/permissions'
import { modes } from '../../../modules/objects/TriggerTarget.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { call, messageOf } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { functionsQuery } from './queries.ts'
import { pair, withMethod, type Pair } from './webhook-draft.ts'
import type { FieldsProps } from './WebhookFields.tsx'

const methods = webhookMethods.map((value) => ({
  value,
  label: value,
  detail: value === 'POST' ? 'with the row as JSON' : 'without a body',
}))

const urlHelp = (url: string) =>
  /^http:/i.test(url.trim())
    ? 'Anyone on the network path can read what is sent to an address without https.'
    : 'Addresses of private networks are refused when they are called.'

/** What is called, with what, and whether at all. */
export function WebhookTarget(props: FieldsProps) {
  const { draft, problems, change } = props
  return (
    <>
      <div className="labelled">
        <span>Type</span>
        <div>
          <Segmented
            label="Type"
            options={[
              { value: 'http', label: 'HTTP request' },
              { value: 'function', label: 'Edge function' },
            ]}
            value={draft.kind}
            onChange={(kind) => change({ kind })}
          />
        </div>
      </div>
      {draft.kind === 'function' ? (
        <FunctionChoice {...props} />
      ) : (
        <TextField
          label="URL"
          type="url"
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          help={urlHelp(draft.url)}
          error={problems.url}
          value={draft.url}
          onChange={(event) => change({ url: event.target.value })}
        />
      )}
      <div className="field-pair">
        <SelectField
          label="Method"
          options={methods}
          value={draft.method}
          onChange={(method) => change(withMethod(draft, method))}
        />
        <TextField
          label="Timeout"
          mono
          inputMode="numeric"
          autoComplete="off"
          unit="ms"
          help={`How long to wait for a response: ${webhookTimeout.least} to ${webhookTimeout.max}.`}
          error={problems.timeout}
          value={draft.timeout}
          onChange={(event) => change({ timeout: event.target.value })}
        />
      </div>
      <PairRows
        title="Headers"
        one="header"
        pairs={draft.headers}
        problems={problems.headers}
        onPairs={(headers) => change({ headers })}
        help="Stored in the trigger definition, where anyone who can read the catalog can read them."
      />
      <PairRows
        title="Parameters"
        one="parameter"
        pairs={draft.params}
        problems={problems.params}
        onPairs={(params) => change({ params })}
        help="Added to the URL as its query string."
      />
      <SelectField
        label="Enabled"
        options={modes}
        value={draft.enabled_mode}
        onChange={(enabled_mode) => change({ enabled_mode })}
      />
    </>
  )
}

type Props = {
  title: string
  /** As "header". */
  one: string
  pairs: readonly Pair[]
  /** What is wrong, by the id of the row. */
  problems: Record<string, string> | undefined
  onPairs: (pairs: Pair[]) => void
  help: string
  /** Beside the button that adds a row. */
  actions?: ReactNode
}

/** Names and values in rows: headers, or parameters. */
function PairRows({ title, one, pairs, problems = {}, onPairs, help, actions }: Props) {
  const change = (id: string, part: Partial<Pair>) =>
    onPairs(pairs.map((row) => (row.id === id ? { ...row, ...part } : row)))
  return (
    <fieldset className="object-rows">
      <legend className="label">{title}</legend>
      {pairs.map(({ id, name, value }, index) => (
        <div className="object-row settings" key={id}>
          <TextField
            label={`Name of ${one} ${index + 1}`}
            mono
            autoComplete="off"
            spellCheck={false}
            error={problems[id]}
            value={name}
            onChange={(event) => change(id, { name: event.target.value })}
          />
          <TextField
            label="Value"
            aria-label={`Value of ${one} ${index + 1}`}
            mono
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(event) => change(id, { value: event.target.value })}
          />
          <IconButton
            className="object-row-remove"
            size="form"
            icon={Trash2}
            label={`Remove ${one} ${name || index + 1}`}
            onClick={() => onPairs(pairs.filter((row) => row.id !== id))}
          />
        </div>
      ))}
      <div className="row">
        <Button icon={Plus} onClick={() => onPairs([...pairs, pair()])}>
          Add {one}
        </Button>
        {actions}
      </div>
      <p className="help">{help}</p>
    </fieldset>
  )
}

/** Chooses one of the project's edge functions. */
function FunctionChoice({ projectRef, draft, problems, change }: FieldsProps) {
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
