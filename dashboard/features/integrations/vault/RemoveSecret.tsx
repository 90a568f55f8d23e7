import { useQuery } from '@tanstack/react-query'
import { vault, type VaultSecret, type VaultUse } from '#contract/integrations/vault'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetVault, usesQuery } from './queries.ts'
import { nameOf } from './SecretPanel.tsx'
import { countText, kindOf, noteOf, placeOf } from './use-words.ts'

type Props = { projectRef: string; secret: VaultSecret; onClose: () => void }

/** Asks before a secret is deleted, and says first what would look for it in vain. */
export function RemoveSecret({ projectRef, secret, onClose }: Props) {
  const uses = useQuery({ ...usesQuery(projectRef), staleTime: 0 })
  const remove = useCall(vault.remove, {
    onSuccess: async () => {
      toast.success(`${nameOf(secret)} is deleted`)
      await forgetVault()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${nameOf(secret)}`}
      verb="Delete secret"
      waits={uses.isFetching}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, id: secret.id })}
    >
      <p>
        SQL that reads this secret finds nothing from now on. Its value cannot be recovered, except
        from a backup.
      </p>
      <UsesNote
        uses={
          uses.isFetching ? undefined : uses.data?.uses.filter((use) => use.secret === secret.id)
        }
        error={uses.isFetching ? undefined : uses.error?.message}
      />
    </ConfirmDialog>
  )
}

type NoteProps = { uses: readonly VaultUse[] | undefined; error: string | undefined }

function UsesNote({ uses, error }: NoteProps) {
  if (error)
    return (
      <Alert variant="warning" title="What uses this secret could not be found out">
        {error}
      </Alert>
    )
  if (!uses) return <p className="muted">Looking for what uses this secret…</p>
  if (uses.length === 0)
    return <p className="muted">No SQL in this database contains its name or ID.</p>
  return (
    <Alert variant="warning" title={`This secret is used in ${countText(uses.length)}`}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long list scrolls in its box */}
      <ul className="dependents" tabIndex={0} aria-label="What uses this secret">
        {uses.map((use) => (
          <li key={[use.kind, use.schema, use.owner, use.name, use.through].join('\n')}>
            {kindOf(use)} <span className="mono">{placeOf(use)}</span>
            {noteOf(use) && <span className="muted t12"> {noteOf(use)}</span>}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
