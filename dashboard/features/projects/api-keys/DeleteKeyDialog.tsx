import { apiKeys, type ApiKey } from '#contract/projects/api-keys'
import { useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetKeys } from './queries.ts'

type Props = { projectRef: string; apiKey: ApiKey; onClose: () => void }

export function DeleteKeyDialog({ projectRef, apiKey, onClose }: Props) {
  const { id, name, type, last_used_at: usedAt } = apiKey
  const remove = useCall(apiKeys.remove, {
    onSuccess: async () => {
      onClose()
      toast.success(`${name} is deleted`)
      await forgetKeys()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the ${type} key ${name}`}
      verb="Delete key"
      typeName={name}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, id })}
    >
      <p>
        Anything that uses this key is refused from its next request. This cannot be undone, and a
        new key has a different value.
      </p>
      <p>
        {usedAt ? (
          <>
            Last used: <Time at={usedAt} />
          </>
        ) : (
          'It has not been used yet.'
        )}
      </p>
    </ConfirmDialog>
  )
}
