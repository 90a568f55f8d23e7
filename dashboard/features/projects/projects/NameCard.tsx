import { useForm } from 'react-hook-form'
import { api } from '#contract/api'
import type { Project } from '#contract/projects/projects'
import { queryClient, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { forgetProjectLists } from '../../../session/project/project-lists.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SaveCancel } from '../../../ui/controls/SaveCancel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'

export function NameCard({ project }: { project: Project }) {
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
