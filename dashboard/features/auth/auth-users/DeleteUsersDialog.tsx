import { authUsers } from '#contract/auth/auth-users'
import { useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetLists } from './queries.ts'

type Props = {
  projectRef: string
  ids: readonly string[]
  /** Of a single one. */
  name?: string
  onDeleted: () => void
  onClose: () => void
}

/** Asks before users go, all together or none. */
export function DeleteUsersDialog({ projectRef, ids, name, onDeleted, onClose }: Props) {
  const remove = useCall(authUsers.removeMany, {
    onSuccess: async ({ deleted }) => {
      toast.success(deleted === 1 ? 'User deleted' : `${numberText(deleted)} users deleted`)
      onDeleted()
      await forgetLists()
    },
  })
  const what = name ?? (ids.length === 1 ? 'this user' : `${numberText(ids.length)} users`)
  return (
    <ConfirmDialog
      open
      title={`Delete ${what}?`}
      verb={ids.length === 1 ? 'Delete user' : 'Delete users'}
      error={remove.error?.message}
      pending={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate({ ref: projectRef, ids: [...ids] })}
    >
      <p>
        Their sessions end, and their identities and second factors are deleted. Foreign keys decide
        whether rows that refer to them are deleted, are kept or block the deletion. This cannot be
        undone.
      </p>
    </ConfirmDialog>
  )
}
