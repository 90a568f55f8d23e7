import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { api } from '#contract/api'
import type { Project } from '#contract/projects/projects'
import { useSelfHosted } from '../../../session/organization/mode.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { queryClient, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { forgetProjectLists } from '../../../session/project/project-lists.ts'
import { Form } from '../../../ui/controls/Form.tsx'
import { SaveCancel } from '../../../ui/controls/SaveCancel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { AvailabilityCard } from './AvailabilityCard.tsx'
import { DeleteCard } from './DeleteCard.tsx'
import { PortCard } from './PortCard.tsx'
import './projects.css'

type Props = {
  projectRef: string
  /** Cards of other features, above the one that deletes. */
  more: ReactNode
  onDeleted: (organizationSlug: string) => void
}

/** /project/{ref}/settings/general */
export function GeneralSettingsPage({ projectRef, more, onDeleted }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const selfHosted = useSelfHosted()
  return (
    <Page width="form">
      <PageHead title="General" help="Settings of this project." />
      <div className="sections">
        <NameCard project={project} />
        <Card title="Identity">
          <div className="labelled">
            <span>
              Project ref <span className="muted">Never changes. It is part of the URL.</span>
            </span>
            <CopyText text={project.ref} what="project ref" />
          </div>
        </Card>
        <PortCard project={project} />
        {!selfHosted && (
          <>
            <AvailabilityCard project={project} />
            {more}
            <DeleteCard project={project} onDeleted={() => onDeleted(project.organization_slug)} />
          </>
        )}
      </div>
    </Page>
  )
}

function NameCard({ project }: { project: Project }) {
  const { ref, organization_slug: organizationSlug } = project
  const reason = useDenials({ organizationSlug, projectRef: ref })(api.projects.update)
  const { register, handleSubmit, reset, formState } = useForm({ values: { name: project.name } })
  const rename = useCall(api.projects.update, {
    onSuccess: async (renamed) => {
      queryClient.setQueryData(projectQuery(ref).queryKey, renamed)
      toast.success('Name saved')
      await forgetProjectLists()
    },
  })
  const { errors, isDirty } = formState
  return (
    <Form
      error={rename.error?.message}
      pending={rename.isPending}
      onSubmit={handleSubmit(({ name }) => rename.mutate({ ref, name }))}
      className="form-stack"
    >
      <Card
        title="Name"
        footer={
          <SaveCancel
            dirty={isDirty}
            pending={rename.isPending}
            reason={reason}
            onCancel={() => reset()}
          />
        }
      >
        <TextField
          label="Project name"
          autoComplete="off"
          help="3 to 64 characters. Shown in lists; nothing depends on it."
          readOnly={reason !== undefined}
          error={errors.name?.message}
          {...register('name', {
            validate: (name) =>
              (name.trim().length >= 3 && name.trim().length <= 64) ||
              'A name has 3 to 64 characters',
          })}
        />
      </Card>
    </Form>
  )
}
