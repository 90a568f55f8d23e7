import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { functionTemplates } from './templates.ts'
import { functions, type FunctionFile } from '#contract/functions/functions'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { CodeFiles } from './CodeFiles.tsx'
import { slugProblem } from './function-files.ts'
import { ofFunctions, functionsQuery } from './queries.ts'
import './functions.css'

const filesOf = (id: string): FunctionFile[] => [
  {
    path: 'index.ts',
    content: functionTemplates.find((each) => each.id === id)?.code ?? '',
    encoding: 'utf8',
  },
]

/** /project/{ref}/functions/new: a template, a name, its code. */
export function NewFunctionPage({ projectRef }: { projectRef: string }) {
  const navigate = useNavigate()
  const why = useDenials(useProject(projectRef))
  const { data: all = [] } = useQuery(functionsQuery(projectRef))
  const off = useDisabledFeatures()
  const [template, setTemplate] = useState(functionTemplates[0]?.id ?? '')
  const [slug, setSlug] = useState('')
  const [tried, setTried] = useState(false)
  const [verifyJwt, setVerifyJwt] = useState(true)
  const [files, setFiles] = useState(() => filesOf(template))
  const deploy = useCall(functions.deploy, {
    changes: ofFunctions,
    onSuccess: (made) => {
      toast.success(`${made.slug} is deployed`)
      void navigate({
        to: '/project/$ref/functions/$functionSlug/code',
        params: { ref: projectRef, functionSlug: made.slug },
      })
    },
  })
  const problem = slugProblem(
    slug,
    all.map((each) => each.slug),
  )
  function send() {
    setTried(true)
    if (!problem)
      deploy.mutate({ ref: projectRef, function_slug: slug, verify_jwt: verifyJwt, files })
  }
  return (
    <Page>
      <PageHead
        title="New function"
        help="It answers at its own URL as soon as you deploy it."
        actions={
          <Button
            variant="primary"
            busy={deploy.isPending}
            disabledReason={why(functions.deploy)}
            onClick={send}
          >
            Deploy function
          </Button>
        }
      />
      <div className="sections">
        {deploy.error && <Alert variant="danger" title={deploy.error.message} />}
        <Card>
          <div className="form-stack">
            <div className="field-pair">
              <TextField
                label="Name"
                mono
                autoComplete="off"
                help="Part of its URL."
                error={tried ? problem : undefined}
                value={slug}
                onChange={(event) => setSlug(event.target.value.trim())}
              />
              <SelectField
                label="Template"
                help={functionTemplates.find(({ id }) => id === template)?.about}
                options={functionTemplates
                  .filter(
                    ({ id }) =>
                      id !== 'stripe-webhook' || !off('edge_functions:show_stripe_example'),
                  )
                  .map(({ id, name }) => ({ value: id, label: name }))}
                value={template}
                onChange={(id) => {
                  setTemplate(id)
                  setFiles(filesOf(id))
                }}
              />
            </div>
            <Switch
              label="Verify JWT"
              help="Accepts only requests with a token of this project."
              checked={verifyJwt}
              onChange={setVerifyJwt}
            />
          </div>
        </Card>
        <Card title="Code">
          <CodeFiles
            key={template}
            files={files}
            entrypoint="index.ts"
            readOnly={false}
            onFiles={setFiles}
          />
        </Card>
      </div>
    </Page>
  )
}
