import { useState } from 'react'
import { storageTrash, type TrashItem } from '#contract/storage/storage-trash'
import { useCall } from '../../../../api/client.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { counted } from '../../../../ui/text/number.ts'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { pathProblem } from '../files/paths.ts'
import { ofFiles } from '../queries.ts'
import { otherName, shownName } from './trash-columns.tsx'

type Props = { projectRef: string; onClose: () => void }

/** Back under another name; `reason` says why it is asked for. */
export function RestoreAsDialog({
  projectRef,
  item,
  reason,
  onClose,
}: Props & { item: TrashItem; reason: string | undefined }) {
  const [name, setName] = useState(() => otherName(item.name))
  const [tried, setTried] = useState(false)
  const problem = name.trim() === '' ? 'Enter a name' : pathProblem(name.trim())
  const restore = useCall(storageTrash.restore, {
    changes: ofFiles,
    onSuccess: (back) => {
      toast.success(`${back.name} restored to ${back.bucket}`)
      onClose()
    },
  })
  const error = restore.error?.message ?? (restore.isPending ? undefined : reason)
  return (
    <FormDialog
      title={`Restore ${shownName(item.name)}`}
      verb="Restore"
      pending={restore.isPending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (!problem) restore.mutate({ ref: projectRef, item: item.id, name: name.trim() })
      }}
    >
      <div className="form-stack">
        <TextField
          label="Path"
          mono
          autoComplete="off"
          help={`In the bucket ${item.bucket}.`}
          error={tried ? problem : undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {error && <Alert variant="danger" title={error} />}
      </div>
    </FormDialog>
  )
}

const gone = (onClose: () => void) => ({
  changes: ofFiles,
  onSuccess: ({ removed }: { removed: number }) => {
    toast.success(`${counted(removed, 'file')} deleted forever`)
    onClose()
  },
})

export function PurgeDialog({
  projectRef,
  items,
  onClose,
}: Props & { items: readonly TrashItem[] }) {
  const [only] = items
  const what = items.length === 1 && only ? shownName(only.name) : counted(items.length, 'file')
  const purge = useCall(storageTrash.purge, gone(onClose))
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${what} forever`}
      verb="Delete forever"
      error={purge.error?.message}
      pending={purge.isPending}
      onConfirm={() => purge.mutate({ ref: projectRef, ids: items.map(({ id }) => id) })}
    >
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  )
}

export function EmptyTrashDialog({
  projectRef,
  bucket,
  onClose,
}: Props & { bucket: string | undefined }) {
  const empty = useCall(storageTrash.empty, gone(onClose))
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={bucket === undefined ? 'Empty the trash' : `Empty the trash of ${bucket}`}
      verb="Empty trash"
      typeName={bucket ?? 'trash'}
      error={empty.error?.message}
      pending={empty.isPending}
      onConfirm={() => empty.mutate({ ref: projectRef, ...(bucket && { bucket }) })}
    >
      <p>
        {bucket === undefined
          ? 'This deletes everything in it, of every bucket, forever. This cannot be undone.'
          : 'This deletes everything in the trash from this bucket forever. This cannot be undone.'}
      </p>
    </ConfirmDialog>
  )
}
