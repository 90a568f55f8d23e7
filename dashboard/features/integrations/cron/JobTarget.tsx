import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { v1Functions } from '#contract/v1/v1-functions'
import { q } from '../../../api/client.ts'
import { extensionsQuery, functionsQuery, schemaList } from '../../../modules/objects/lists.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { CodeField } from '../../../ui/controls/CodeField.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { RequestFields } from './RequestFields.tsx'
import type { JobKind, TargetProps } from './job-draft.ts'

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
