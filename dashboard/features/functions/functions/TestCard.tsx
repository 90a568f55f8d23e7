import { useState } from 'react'
import { functions } from '#contract/functions/functions'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'

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
export function TestCard({ projectRef, slug }: { projectRef: string; slug: string }) {
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
