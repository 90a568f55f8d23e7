import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { functions, type FunctionFile } from '#contract/functions/functions'
import { useCall } from '../../../api/client.ts'
import { LeftWorkNote, useLeftWork, useWorkDrafts } from '../../../session/identity/left-work.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { UnsavedGate, useUnsaved } from '../../../session/identity/unsaved.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CodeFiles } from './CodeFiles.tsx'
import { ofFunctions, functionQuery, versionQuery } from './queries.ts'
import './functions.css'

type Props = { projectRef: string; slug: string }

/** /project/{ref}/functions/{slug}/code: the active version, to change and to try. */
export function CodePage({ projectRef, slug }: Props) {
  const { data: active } = useQuery(functionQuery(projectRef, slug))
  const query = useQuery({
    ...versionQuery(projectRef, slug, active?.version ?? 0),
    enabled: active !== undefined,
  })
  if (query.error)
    return <ErrorNote what="the code" error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton width="60%" />
  const { version, files, entrypoint_path: entrypoint, import_map_path: importMap } = query.data
  return (
    <UnsavedGate>
      <div className="function-desk">
        <Editor key={version} {...{ projectRef, slug, version, files, entrypoint, importMap }} />
        <TestCard projectRef={projectRef} slug={slug} />
      </div>
    </UnsavedGate>
  )
}

/** Files that were changed and not deployed, and the version that was active then. */
type Code = { files: FunctionFile[]; version: number }

type EditorProps = Props & {
  version: number
  files: readonly FunctionFile[]
  entrypoint: string
  importMap: string | null
}

function Editor(props: EditorProps) {
  const { projectRef, slug, version: active, files: deployed, entrypoint, importMap } = props
  const why = useDenials(useProject(projectRef))
  const [files, setFiles] = useState(deployed)
  const [isKept, setKept] = useState(true)
  const drafts = useWorkDrafts<Code>('function-code', projectRef)
  const { left, settle } = useLeftWork(drafts, slug)
  // Whoever comes back to this page is asked what becomes of it.
  useEffect(() => () => drafts.leave(slug), [drafts, slug])
  // Where the browser has no room for it, leaving asks first.
  useUnsaved(files !== deployed && !isKept)
  function change(next: FunctionFile[]): void {
    setFiles(next)
    setKept(drafts.keep({ id: slug, at: Date.now(), work: { files: next, version: active } }))
  }
  const denied = why(functions.deploy)
  const deploy = useCall(functions.deploy, {
    changes: ofFunctions,
    onSuccess: ({ version }) => {
      drafts.drop(slug)
      toast.success(`Version ${version} is deployed`)
    },
  })
  const unchanged = files === deployed ? 'Nothing has changed' : undefined
  // A map that was taken away does not count any more.
  const map = files.some(({ path }) => path === importMap) ? importMap : null
  return (
    <Card
      title="Code"
      end={
        <Button
          variant="primary"
          busy={deploy.isPending}
          disabledReason={denied ?? unchanged}
          onClick={() =>
            deploy.mutate({
              ref: projectRef,
              function_slug: slug,
              entrypoint_path: entrypoint,
              import_map_path: map,
              files: [...files],
            })
          }
        >
          Deploy changes
        </Button>
      }
    >
      <div className="stack">
        {left && files === deployed && denied === undefined && (
          <LeftWorkNote
            left={left}
            title="Code that was not deployed"
            onDiscard={settle}
            onRestore={() => {
              change(left.work.files)
              settle()
            }}
          >
            {left.work.version !== active &&
              `It is based on version ${left.work.version}; version ${active} is active now.`}
          </LeftWorkNote>
        )}
        {deploy.error && <Alert variant="danger" title={deploy.error.message} />}
        <CodeFiles {...{ files, entrypoint }} readOnly={denied !== undefined} onFiles={change} />
      </div>
    </Card>
  )
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'] as const
const roles = ['anon', 'service_role'] as const
const options = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: value }))

/** Lines of `Name: value`. */
const headersOf = (text: string) =>
  text.split('\n').flatMap((line) => {
    const at = line.indexOf(':')
    if (line.trim() === '') return []
    return [{ name: line.slice(0, Math.max(at, 0)).trim(), value: line.slice(at + 1).trim() }]
  })

/** Calls the function, and shows what it answered. */
function TestCard({ projectRef, slug }: { projectRef: string; slug: string }) {
  const why = useDenials(useProject(projectRef))
  const [method, setMethod] = useState<(typeof methods)[number]>('POST')
  const [role, setRole] = useState<(typeof roles)[number]>('anon')
  const [path, setPath] = useState('')
  const [headers, setHeaders] = useState('')
  const [body, setBody] = useState('{ "name": "Functions" }')
  const test = useCall(functions.test)
  const answer = test.data
  const send = () =>
    test.mutate({
      ref: projectRef,
      function_slug: slug,
      method,
      role,
      path,
      body,
      headers: headersOf(headers),
    })
  return (
    <Card title="Test">
      <Form
        className="form-stack"
        error={test.error?.message}
        pending={test.isPending}
        onSubmit={send}
      >
        <div className="field-pair">
          <SelectField
            label="Method"
            options={options(methods)}
            value={method}
            onChange={setMethod}
          />
          <SelectField label="Role" options={options(roles)} value={role} onChange={setRole} />
        </div>
        <TextField
          label="Path and query (optional)"
          mono
          autoComplete="off"
          help="The part after the function name, such as /items?id=1."
          value={path}
          onChange={(event) => setPath(event.target.value.trim())}
        />
        <TextArea
          label="Headers (optional)"
          mono
          rows={2}
          help="One per line, as Name: value."
          value={headers}
          onChange={(event) => setHeaders(event.target.value)}
        />
        <TextArea
          label="Body"
          mono
          rows={4}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
        <div>
          <Button
            type="submit"
            size="form"
            busy={test.isPending}
            disabledReason={why(functions.test)}
          >
            Send request
          </Button>
        </div>
      </Form>
      {answer && (
        <section className="function-answer" aria-label="Answer">
          <p className="row">
            <Badge tone={answer.status < 400 ? 'success' : 'danger'}>{answer.status}</Badge>
            <span className="muted">{answer.duration_ms} ms</span>
          </p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable */}
          <pre className="code well scroll" tabIndex={0} aria-label="Response body">
            {answer.body}
          </pre>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable */}
          <pre className="code well scroll" tabIndex={0} aria-label="Response headers">
            {answer.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          </pre>
        </section>
      )}
    </Card>
  )
}
