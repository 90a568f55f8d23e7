import { useForm } from 'react-hook-form'
import { apiKeys, type ApiKey } from '#contract/projects/api-keys'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { KeyFields, type KeyValues } from './KeyFields.tsx'
import { forgetKeys } from './queries.ts'

type Props = { projectRef: string; apiKey: ApiKey; onClose: () => void }

/** Another name or description; the key itself stays as it is. */
export function EditKeyDialog({ projectRef, apiKey: { id, name, description }, onClose }: Props) {
  const { register, handleSubmit, formState } = useForm<KeyValues>({
    defaultValues: { name, description: description ?? '' },
  })
  const update = useCall(apiKeys.update, {
    onSuccess: async () => {
      onClose()
      toast.success('Key saved')
      await forgetKeys()
    },
  })
  return (
    <FormDialog
      title={`Edit ${name}`}
      verb="Save"
      disabled={!formState.isDirty}
      pending={update.isPending}
      onClose={onClose}
      onSubmit={handleSubmit((values) =>
        update.mutate({
          ref: projectRef,
          id,
          name: values.name.trim(),
          description: values.description,
        }),
      )}
    >
      <div className="form-stack">
        <KeyFields register={register} errors={formState.errors} />
        {update.error && <Alert variant="danger" title={update.error.message} />}
      </div>
    </FormDialog>
  )
}
