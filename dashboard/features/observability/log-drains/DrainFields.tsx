import { Plus, Trash2 } from 'lucide-react'
import { maxDrainHeaders, type LogDrain } from '#contract/observability/log-drain-shapes'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import type { Destination, FieldOf } from './destinations.ts'
import { isSet, withHeader, type Draft, type HeaderRow, type Problems } from './drain-draft.ts'

type Props = {
  destination: Destination
  /** Undefined for one that is being made. */
  drain: LogDrain | undefined
  draft: Draft
  problems: Problems
  onDraft: (draft: Draft) => void
}

/** What a destination needs to know. */
export function DrainFields(props: Props) {
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

function OneField({ field, drain, draft, problems, onDraft }: Props & { field: FieldOf }) {
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
function Headers({ draft, problems, onDraft }: Props) {
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
