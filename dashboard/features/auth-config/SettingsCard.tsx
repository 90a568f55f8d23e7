import { useSuspenseQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { api } from '#contract/api'
import { inProject } from '#contract/permissions'
import { queryClient, useCall } from '../../api/client.ts'
import { useDenials } from '../../session/permissions.ts'
import { useProject } from '../../session/use-project.ts'
import { Card } from '../../ui/Card.tsx'
import { Form } from '../../ui/Form.tsx'
import { SaveCancel } from '../../ui/SaveCancel.tsx'
import { toast } from '../../ui/toast.ts'
import { authConfigQuery } from './queries.ts'
import { changesOf, problemIn, valuesOf, type SettingField } from './settings-form.ts'
import { SettingInput } from './SettingInput.tsx'

type Props = { projectRef: string; title: string; fields: readonly SettingField[] }

/** The endpoint itself asks for less: who may change the mail server only may call it, too. */
const changing = { needs: inProject('write:Update', 'custom_config_gotrue') }

/** Some settings of the auth service that belong together, saved together. */
export function SettingsCard({ projectRef, title, fields }: Props) {
  const reason = useDenials(useProject(projectRef))(changing)
  const { data: config } = useSuspenseQuery(authConfigQuery(projectRef))
  const { register, handleSubmit, reset, formState } = useForm({
    values: valuesOf(config, fields),
  })
  const save = useCall(api.authConfig.update, {
    onSuccess: (saved) => {
      queryClient.setQueryData(authConfigQuery(projectRef).queryKey, saved)
      toast.success(`${title} saved`)
    },
  })
  const { errors, isDirty } = formState
  return (
    <Form
      error={save.error?.message}
      pending={save.isPending}
      onSubmit={handleSubmit((values) =>
        save.mutate({ ref: projectRef, ...changesOf(values, config, fields) }),
      )}
      className="form-stack"
    >
      <Card
        title={title}
        footer={
          <SaveCancel
            dirty={isDirty}
            pending={save.isPending}
            reason={reason}
            onCancel={() => {
              reset()
              save.reset()
            }}
          />
        }
      >
        <div className="form-stack">
          {fields.map((field) => (
            <SettingInput
              key={field.key}
              field={field}
              locked={reason !== undefined}
              error={errors[field.key]?.message}
              input={register(field.key, {
                validate: (value) => problemIn(field, value ?? '') ?? true,
              })}
            />
          ))}
        </div>
      </Card>
    </Form>
  )
}
