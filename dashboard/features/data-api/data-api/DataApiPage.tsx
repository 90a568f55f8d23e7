import { useSuspenseQuery } from '@tanstack/react-query'
import { projectQuery } from '../../../session/project/project.ts'
import { UnsavedGate } from '../../../session/identity/unsaved.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SaveCancel } from '../../../ui/controls/SaveCancel.tsx'
import { DataApiFields } from './DataApiFields.tsx'
import { useDataApi } from './use-data-api.ts'
import './data-api.css'

/** /project/{ref}/settings/api */
export function DataApiPage({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  return (
    <UnsavedGate>
      <Page width="form">
        <PageHead title="Data API" help="Choose what your API exposes." />
        <div className="sections">
          <Card title="Project URL">
            <div className="form-stack">
              <CopyText text={project.endpoint} what="project URL" />
              <CopyText label="Data API" text={`${project.endpoint}/rest/v1`} what="data API URL" />
            </div>
          </Card>
          <SettingsForm projectRef={projectRef} />
        </div>
      </Page>
    </UnsavedGate>
  )
}

function SettingsForm({ projectRef }: { projectRef: string }) {
  const form = useDataApi(projectRef)
  const { dirty, pending, reason, error } = form
  return (
    <>
      <Form error={error} pending={pending} onSubmit={form.submit} className="form-stack">
        <Card
          title="Settings"
          footer={
            <SaveCancel dirty={dirty} pending={pending} reason={reason} onCancel={form.cancel} />
          }
        >
          <DataApiFields projectRef={projectRef} form={form} />
        </Card>
      </Form>
      <ConfirmDialog
        open={form.asking}
        title="Disable the data API?"
        verb="Disable"
        error={undefined}
        pending={pending}
        onClose={form.stopAsking}
        onConfirm={form.agree}
      >
        <p>
          No app can read or write rows over HTTP or GraphQL until you enable it again. Database
          connections and sign-ins continue to work.
        </p>
      </ConfirmDialog>
    </>
  )
}
