import { Plus, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  maxDrainHeaders,
  type LogDrain,
  type LogDrainTest,
} from '#contract/observability/log-drain-shapes'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import type { Destination, FieldOf } from './destinations.ts'
import {
  configOf,
  draftOf,
  isSet,
  problemsIn,
  problemsOf,
  withHeader,
  type Draft,
  type HeaderRow,
  type Problems,
} from './drain-draft.ts'
import { useSave, useTest, type Owner } from './queries.ts'

type Props = {
  owner: Owner
  /** What adding one costs; undefined where nothing is paid for. */
  price: string | undefined
  destination: Destination
  /** Undefined for one that is to be added. */
  drain: LogDrain | undefined
  onClose: () => void
}

/** Adds a drain, or changes one. */
export function DrainPanel({ owner, price, destination, drain, onClose }: Props) {
  const [draft, setDraft] = useState(() => draftOf(destination, drain))
  const [problems, setProblems] = useState<Record<string, string>>({})
  const onError = ({ message }: Error) => setProblems(problemsOf(message, destination))
  const save = useSave(owner, ({ name }) => {
    toast.success(drain ? `${name} is saved` : `${name} is added`)
    onClose()
  })
  const test = useTest(owner)
  const { type, title } = destination

  function change(next: Draft) {
    setDraft(next)
    setProblems({})
    test.reset()
  }
  function check(): boolean {
    const found = problemsIn(destination, draft, drain)
    setProblems(found)
    return Object.keys(found).length === 0
  }
  function submit() {
    if (!check()) return
    const { name, description } = draft
    const given = { name: name.trim(), description, config: configOf(destination, draft, drain) }
    save.mutate(drain ? { ...given, token: drain.token } : { ...given, type }, { onError })
  }
  function send() {
    if (!check()) return
    const config = configOf(destination, draft, drain)
    test.mutate({ type, config, ...(drain && { token: drain.token }) }, { onError })
  }
  const rest = problems['']
  return (
    <FormPanel
      title={drain ? `Edit ${drain.name}` : `Add ${title} log drain`}
      size="large"
      verb={drain ? 'Save log drain' : 'Add log drain'}
      pending={save.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="muted">{destination.about}.</p>
      <DrainFields
        destination={destination}
        drain={drain}
        draft={draft}
        problems={problems}
        onDraft={change}
      />
      {rest !== undefined && <Alert variant="danger" title={rest} />}
      <div className="form-stack">
        <div>
          <Button icon={Send} busy={test.isPending} onClick={send}>
            Send a test entry
          </Button>
        </div>
        {test.data && <TestResult result={test.data} />}
      </div>
      {!drain && price !== undefined && (
        <Alert variant="info" title="What it costs">
          {price}
        </Alert>
      )}
    </FormPanel>
  )
}

function TestResult({ result: { ok, status, detail, milliseconds } }: { result: LogDrainTest }) {
  const answer = status === null ? '' : ` with status ${status}`
  return (
    <output className="drain-test">
      <Alert
        variant={ok ? 'success' : 'danger'}
        title={
          ok
            ? `The destination accepted the test entry${answer}, in ${Math.round(milliseconds)} ms`
            : status === null
              ? 'The destination could not be reached'
              : `The destination refused the test entry${answer}`
        }
      >
        {detail !== '' && <span className="mono drain-answer">{detail}</span>}
      </Alert>
    </output>
  )
}

type DrainFieldsProps = {
  destination: Destination
  /** Undefined for one that is being made. */
  drain: LogDrain | undefined
  draft: Draft
  problems: Problems
  onDraft: (draft: Draft) => void
}

/** What a destination needs to know. */
function DrainFields(props: DrainFieldsProps) {
  const { destination, draft, problems, onDraft } = props
  return (
    <>
      <TextField
        label="Name"
        autoComplete="off"
        maxLength={100}
        error={problems['name']}
        value={draft.name}
        onChange={(event) => onDraft({ ...draft, name: event.target.value })}
      />
      <TextField
        label="Description"
        help="Optional. What this log drain is for."
        autoComplete="off"
        maxLength={500}
        error={problems['description']}
        value={draft.description}
        onChange={(event) => onDraft({ ...draft, description: event.target.value })}
      />
      {destination.fields.map((field) => (
        <OneField key={field.name} {...props} field={field} />
      ))}
      {destination.hasHeaders && <Headers {...props} />}
    </>
  )
}

function OneField({
  field,
  drain,
  draft,
  problems,
  onDraft,
}: DrainFieldsProps & { field: FieldOf }) {
  const { name, label, kind, help, placeholder, choices = [] } = field
  const value = draft.values[name] ?? ''
  const set = (next: string | boolean) =>
    onDraft({ ...draft, values: { ...draft.values, [name]: next } })
  const error = problems[name]
  if (typeof value === 'boolean')
    return (
      <Checkbox
        label={
          <>
            {label}
            <span className="choice-help">{help}</span>
          </>
        }
        checked={value}
        onChange={(event) => set(event.target.checked)}
      />
    )
  if (kind === 'choice')
    return (
      <SelectField label={label} options={choices} value={value} error={error} onChange={set} />
    )
  if (kind === 'secret')
    return (
      <PasswordField
        label={label}
        help={isSet(drain, name) ? 'It is set. Leave this empty to keep it.' : (help ?? kept)}
        error={error}
        autoComplete="new-password"
        value={value}
        onChange={(event) => set(event.target.value)}
      />
    )
  return (
    <TextField
      label={label}
      help={help}
      mono
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      inputMode={kind === 'number' ? 'numeric' : undefined}
      error={error}
      value={value}
      onChange={(event) => set(event.target.value)}
    />
  )
}

const kept = 'It is stored encrypted and never shown again.'

/** Names and values in rows. The values of those that are there are not shown. */
function Headers({ draft, problems, onDraft }: DrainFieldsProps) {
  const { headers } = draft
  const put = (id: number, part: Partial<HeaderRow>) =>
    onDraft({
      ...draft,
      headers: headers.map((row) => (row.id === id ? { ...row, ...part } : row)),
    })
  return (
    <fieldset className="object-rows">
      <legend className="label">Headers</legend>
      {headers.map(({ id, name, value, isKept }, index) => (
        <div className="object-row settings" key={id}>
          <TextField
            label="Name"
            aria-label={`Name of header ${index + 1}`}
            mono
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={(event) => put(id, { name: event.target.value, isKept: false })}
          />
          <TextField
            label="Value"
            aria-label={`Value of header ${index + 1}`}
            mono
            autoComplete="off"
            spellCheck={false}
            placeholder={isKept ? 'Set, and kept' : undefined}
            value={value}
            onChange={(event) => put(id, { value: event.target.value })}
          />
          <IconButton
            className="object-row-remove"
            size="form"
            icon={Trash2}
            label={`Remove header ${name || index + 1}`}
            onClick={() => onDraft({ ...draft, headers: headers.filter((row) => row.id !== id) })}
          />
        </div>
      ))}
      {problems['headers'] !== undefined && (
        <p className="err" role="alert">
          {problems['headers']}
        </p>
      )}
      <Button
        icon={Plus}
        disabledReason={headers.length >= maxDrainHeaders && `At most ${maxDrainHeaders}`}
        onClick={() => onDraft(withHeader(draft))}
      >
        Add header
      </Button>
      <p className="help">
        Sent with each request. Values are stored encrypted and never shown again.
      </p>
    </fieldset>
  )
}
