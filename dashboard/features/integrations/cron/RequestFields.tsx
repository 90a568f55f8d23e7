import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextArea, TextField } from '../../../ui/controls/TextField.tsx'
import { httpMethods, httpTimeout } from './job-command.ts'
import { headerRow, type CommandDraft, type TargetProps } from './job-draft.ts'

type Header = CommandDraft['headers'][number]

/** What a request sends, and how long it is waited for. */
export function RequestFields({ draft, problems, change }: TargetProps) {
  const { kind, method, url, body, timeout } = draft
  return (
    <>
      {kind === 'http' && (
        <TextField
          label="URL"
          type="url"
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder="https://"
          help="Addresses of private networks are refused when they are called."
          error={problems.url}
          value={url}
          onChange={(event) => change({ url: event.target.value })}
        />
      )}
      <div className="field-pair">
        <SelectField
          label="Method"
          options={httpMethods.map((value) => ({ value, label: value }))}
          value={method}
          onChange={(next) => change({ method: next })}
        />
        <TextField
          label="Timeout"
          mono
          inputMode="numeric"
          autoComplete="off"
          unit="ms"
          help={`${httpTimeout.least} to ${httpTimeout.max}.`}
          error={problems.timeout}
          value={timeout}
          onChange={(event) => change({ timeout: event.target.value })}
        />
      </div>
      <HeaderRows
        headers={draft.headers}
        error={problems.headers}
        onHeaders={(headers) => change({ headers })}
      />
      {method !== 'GET' && (
        <TextArea
          label="Body"
          mono
          rows={4}
          spellCheck={false}
          help="JSON. Leave it empty to send none."
          error={problems.body}
          value={body}
          onChange={(event) => change({ body: event.target.value })}
        />
      )}
    </>
  )
}

type RowsProps = {
  headers: readonly Header[]
  error: string | undefined
  onHeaders: (headers: Header[]) => void
}

function HeaderRows({ headers, error, onHeaders }: RowsProps) {
  const change = (id: string, part: Partial<Header>) =>
    onHeaders(headers.map((row) => (row.id === id ? { ...row, ...part } : row)))
  return (
    <fieldset className="object-rows">
      <legend className="label">Headers</legend>
      {headers.map((row, index) => (
        <div className="object-row settings" key={row.id}>
          <TextField
            label={`Name of header ${index + 1}`}
            mono
            autoComplete="off"
            spellCheck={false}
            value={row.name}
            onChange={(event) => change(row.id, { name: event.target.value })}
          />
          <TextField
            label={
              row.secret
                ? `Vault secret${row.secret.before && `, sent after “${row.secret.before.trim()}”`}`
                : 'Value'
            }
            aria-label={`${row.secret ? 'Secret' : 'Value'} of header ${index + 1}`}
            mono
            autoComplete="off"
            spellCheck={false}
            value={row.value}
            onChange={(event) => change(row.id, { value: event.target.value })}
          />
          <IconButton
            className="object-row-remove"
            size="form"
            icon={Trash2}
            label={`Remove header ${row.name || index + 1}`}
            onClick={() => onHeaders(headers.filter(({ id }) => id !== row.id))}
          />
        </div>
      ))}
      {error && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
      <div className="row">
        <Button
          icon={Plus}
          onClick={() => onHeaders([...headers, headerRow({ name: '', value: '' })])}
        >
          Add header
        </Button>
        <Button
          icon={Plus}
          onClick={() =>
            onHeaders([
              ...headers,
              headerRow({ name: 'Authorization', value: '', secret: { before: 'Bearer ' } }),
            ])
          }
        >
          Add secret header
        </Button>
      </div>
      <p className="help">
        Values are part of the job, where anyone who may read cron.job sees them. A secret header
        names a secret of the vault, which is read when the job runs.
      </p>
    </fieldset>
  )
}
