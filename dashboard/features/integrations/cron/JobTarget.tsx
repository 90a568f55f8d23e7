import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Trash2 } from 'lucide-react'
import { v1Functions } from '#contract/v1/v1-functions'
import { q } from '../../../api/client.ts'
import { extensionsQuery, functionsQuery, schemaList } from '../../../modules/objects/lists.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextArea, TextField } from '../../../ui/controls/TextField.tsx'
import {
  headerRow,
  httpMethods,
  httpTimeout,
  type CommandDraft,
  type JobKind,
  type TargetProps,
} from './job-draft.ts'

const kinds: { value: JobKind; label: string }[] = [
  { value: 'sql', label: 'SQL' },
  { value: 'function', label: 'Database function' },
  { value: 'http', label: 'HTTP request' },
  { value: 'edge', label: 'Edge function' },
]

/** What a job runs. */
export function JobTarget(props: TargetProps) {
  const { draft, change, username, problems } = props
  return (
    <>
      <div className="labelled">
        <span>What it runs</span>
        <div>
          <Segmented
            label="What it runs"
            options={kinds}
            value={draft.kind}
            onChange={(kind) => change({ kind })}
          />
        </div>
      </div>
      {draft.kind === 'sql' && (
        <CodeField
          label="SQL"
          lines={[6, 16]}
          help={`Runs as ${username}, on a connection of its own.`}
          error={problems.sql}
          value={draft.sql}
          onValue={(sql) => change({ sql })}
        />
      )}
      {draft.kind === 'function' && <FunctionFields {...props} />}
      {draft.kind === 'edge' && <EdgeField {...props} />}
      {(draft.kind === 'http' || draft.kind === 'edge') && (
        <>
          <NeedsNet projectRef={props.projectRef} />
          <RequestFields {...props} />
        </>
      )}
    </>
  )
}

/** One of the database's functions that takes no arguments. */
function FunctionFields({ projectRef, draft, problems, change, username }: TargetProps) {
  const { data: schemas = [] } = useQuery(schemaList(projectRef))
  const { data: functions, error } = useQuery(functionsQuery(projectRef, draft.schema))
  const names = [
    ...new Set([
      ...(draft.name ? [draft.name] : []),
      ...(functions ?? [])
        .filter(
          ({ args, return_type }) =>
            args.every((arg) => arg.has_default) && return_type !== 'trigger',
        )
        .map(({ name }) => name),
    ]),
  ]
  return (
    <div className="field-pair">
      <SelectField
        label="Schema"
        options={[...new Set([draft.schema, ...schemas.map(({ name }) => name)])].map((value) => ({
          value,
          label: value,
        }))}
        value={draft.schema}
        onChange={(schema) => change({ schema, name: '' })}
      />
      <SelectField
        label="Function"
        options={names.map((value) => ({ value, label: value }))}
        value={draft.name === '' ? undefined : draft.name}
        error={problems.name ?? error?.message}
        help={
          functions && names.length === 0
            ? 'No function of this schema can be called without arguments.'
            : `Called without arguments, as ${username}.`
        }
        onChange={(name) => change({ name })}
      />
    </div>
  )
}

/** One of the project's edge functions. */
function EdgeField({ projectRef, draft, problems, change }: TargetProps) {
  const { data, error } = useQuery(q(v1Functions.functions, { ref: projectRef }))
  const slugs = [
    ...new Set([...(draft.slug ? [draft.slug] : []), ...(data ?? []).map(({ slug }) => slug)]),
  ]
  const chosen = data?.find(({ slug }) => slug === draft.slug)
  const sendsToken = draft.headers.some(({ name }) => name.trim().toLowerCase() === 'authorization')
  return (
    <>
      <SelectField
        label="Edge function"
        options={slugs.map((value) => ({ value, label: value }))}
        value={draft.slug === '' ? undefined : draft.slug}
        error={problems.slug ?? error?.message}
        help={
          data?.length === 0
            ? 'This project has no functions yet. Create one on the Edge functions page.'
            : undefined
        }
        onChange={(slug) => change({ slug })}
      />
      {chosen?.verify_jwt && !sendsToken && (
        <Alert variant="warning" title="This function requires a token, and the job sends none">
          Without one, its calls return 401. Let the function accept requests without a token (on
          its Details page), or add a header Authorization with the value from a secret of the
          vault.
        </Alert>
      )}
    </>
  )
}

/** Requests leave the database by pg_net; without it the job would fail. */
function NeedsNet({ projectRef }: { projectRef: string }) {
  const { data } = useQuery(extensionsQuery(projectRef))
  if (!data || data.some((one) => one.name === 'pg_net' && one.installed_version !== null))
    return null
  return (
    <Alert variant="warning" title="Requests need the extension pg_net">
      It is not enabled in this database, so this job would fail.{' '}
      <Link
        className="link"
        to="/project/$ref/database/extensions"
        params={{ ref: projectRef }}
        search={{ q: 'pg_net' }}
      >
        Show it in Extensions
      </Link>
    </Alert>
  )
}

type Header = CommandDraft['headers'][number]

/** What a request sends, and how long it is waited for. */
function RequestFields({ draft, problems, change }: TargetProps) {
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
