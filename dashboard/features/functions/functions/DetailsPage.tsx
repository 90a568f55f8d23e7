import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { v1Functions } from '#contract/v1/v1-functions'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { projectQuery, useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ofFunctions, functionQuery } from './queries.ts'

/** /project/{ref}/functions/{slug}/details: how it is called, and by whom it may be. */
export function DetailsPage({ projectRef, slug }: { projectRef: string; slug: string }) {
  const navigate = useNavigate()
  const why = useDenials(useProject(projectRef))
  const off = useDisabledFeatures()
  const { data } = useQuery(functionQuery(projectRef, slug))
  const { data: project } = useQuery(projectQuery(projectRef))
  const [deleting, setDeleting] = useState(false)
  const update = useCall(v1Functions.updateFunction, {
    changes: ofFunctions,
    onSuccess: () => {
      toast.success('Function saved')
    },
  })
  const remove = useCall(v1Functions.removeFunction, {
    onAnswer: () => navigate({ to: '/project/$ref/functions', params: { ref: projectRef } }),
    changes: ofFunctions,
    onSuccess: () => {
      toast.success(`${slug} is deleted`)
    },
  })
  const url = `${project?.public_url ?? ''}/functions/v1/${slug}`
  const denied = why(v1Functions.updateFunction)
  return (
    <div className="sections">
      <Card title="Address">
        <div className="form-stack">
          <CopyText text={url} what="URL" />
          <CodeBlock
            language="text"
            what="call"
            code={`curl -X POST '${url}' \\\n  -H 'Authorization: Bearer YOUR_ANON_KEY' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name":"Functions"}'`}
          />
          {!off('edge_functions:show_all_edge_function_invocation_examples') && (
            <CodeBlock
              language="js"
              what="call from JavaScript"
              code={`const { data, error } = await supabase.functions.invoke('${slug}', {\n  body: { name: 'Functions' },\n})`}
            />
          )}
        </div>
      </Card>
      <Card title="Settings">
        {update.error && <Alert variant="danger" title={update.error.message} />}
        <Switch
          label="Verify JWT"
          help={denied ?? 'Accepts only requests with a token of this project.'}
          checked={data?.verify_jwt ?? true}
          disabled={denied !== undefined || update.isPending || !data}
          onChange={(verify) =>
            update.mutate({ ref: projectRef, function_slug: slug, verify_jwt: verify })
          }
        />
      </Card>
      <Card
        title="Delete function"
        footer={
          <Button
            size="form"
            variant="danger"
            disabledReason={why(v1Functions.removeFunction)}
            onClick={() => setDeleting(true)}
          >
            Delete function
          </Button>
        }
      >
        <p className="muted">Its URL then returns 404. You can restore it.</p>
      </Card>
      <ConfirmDialog
        open={deleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${slug}`}
        verb="Delete function"
        typeName={slug}
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ ref: projectRef, function_slug: slug })}
      >
        <p>
          Requests to it then return 404. It is kept with all versions among the deleted functions.
        </p>
      </ConfirmDialog>
    </div>
  )
}
