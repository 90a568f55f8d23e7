import { Ellipsis, Eraser, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { storage, type StorageBucket } from '#contract/storage/storage'
import { storageJobs } from '#contract/storage/storage-jobs'
import { useCall } from '../../../../api/client.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { BucketDialog } from './BucketDialog.tsx'
import { forgetBucketLists, forgetFiles } from '../queries.ts'
import { begun } from '../StorageJobs.tsx'

type Props = {
  projectRef: string
  bucket: StorageBucket
  largest: number
  onDeleted?: () => void
}

/** What can be done to a bucket. */
export function BucketMenu({ projectRef, bucket, largest, onDeleted }: Props) {
  const [dialog, setDialog] = useState<'edit' | 'empty' | 'delete'>()
  const why = useDenials(useProject(projectRef))
  const close = () => setDialog(undefined)
  const { id, name } = bucket
  const empty = useCall(storageJobs.startJob, {
    onSuccess: async (job) => {
      toast.success(`${name} is being emptied`)
      close()
      await Promise.all([begun(job), forgetFiles()])
    },
  })
  const remove = useCall(storage.removeBucket, {
    onSuccess: async () => {
      toast.success(`${name} is deleted`)
      close()
      onDeleted?.()
      await forgetBucketLists()
    },
  })
  const mayChange = why(storage.updateBucket)
  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`Actions for ${name}`} />}
      >
        <MenuItem icon={Pencil} disabledReason={mayChange} onSelect={() => setDialog('edit')}>
          Edit bucket
        </MenuItem>
        <MenuItem
          icon={Eraser}
          disabledReason={why(storageJobs.startJob)}
          onSelect={() => setDialog('empty')}
        >
          Empty bucket
        </MenuItem>
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={why(storage.removeBucket)}
          onSelect={() => setDialog('delete')}
        >
          Delete bucket
        </MenuItem>
      </Menu>
      {dialog === 'edit' && (
        <BucketDialog
          projectRef={projectRef}
          bucket={bucket}
          taken={[]}
          largest={largest}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={dialog === 'empty'}
        onClose={close}
        title={`Empty ${name}`}
        verb="Empty bucket"
        typeName={name}
        error={empty.error?.message}
        pending={empty.isPending}
        onConfirm={() =>
          empty.mutate({ ref: projectRef, kind: 'remove', bucket: id, items: [{ from: '' }] })
        }
      >
        <p>All files in it move to the trash, batch by batch. The bucket and its policies stay.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'delete'}
        onClose={close}
        title={`Delete ${name}`}
        verb="Delete bucket"
        typeName={name}
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ ref: projectRef, id })}
      >
        <p>
          Only an empty bucket can be deleted. Its files in the trash are deleted forever. Policies
          that name it stay.
        </p>
      </ConfirmDialog>
    </>
  )
}
