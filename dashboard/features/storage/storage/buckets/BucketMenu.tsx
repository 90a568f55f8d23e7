import { Ellipsis, Eraser, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { newBucketName, storage, type StorageBucket } from '#contract/storage/storage'
import { storageJobs } from '#contract/storage/storage-jobs'
import { useCall } from '../../../../api/client.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { Switch } from '../../../../ui/controls/Switch.tsx'
import { TextField, TextArea } from '../../../../ui/controls/TextField.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { bytesText } from '../../../../ui/text/number.ts'
import { ofBucketLists, ofBuckets, ofFiles } from '../queries.ts'
import { begun } from '../StorageJobs.tsx'
import { bytesOf, limitOf, sizeUnits, type SizeUnit } from './size-limit.ts'

type Props = {
  projectRef: string
  bucket: StorageBucket
  largest: number
  /** Leaves the page of the bucket. */
  onDeleted?: () => unknown
}

/** What can be done to a bucket. */
export function BucketMenu({ projectRef, bucket, largest, onDeleted }: Props) {
  const [dialog, setDialog] = useState<'edit' | 'empty' | 'delete'>()
  const why = useDenials(useProject(projectRef))
  const close = () => setDialog(undefined)
  const { id, name } = bucket
  const empty = useCall(storageJobs.startJob, {
    onAnswer: begun,
    changes: ofFiles,
    onSuccess: () => {
      toast.success(`${name} is being emptied`)
      close()
    },
  })
  const remove = useCall(storage.removeBucket, {
    onAnswer: () => onDeleted?.(),
    changes: ofBucketLists,
    onSuccess: () => {
      toast.success(`${name} is deleted`)
      close()
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

type BucketDialogProps = {
  projectRef: string
  /** The one that is changed; a new one without. */
  bucket?: StorageBucket
  /** Names that are taken. */
  taken: readonly string[]
  /** Bytes of one object at most, in any bucket. */
  largest: number
  onClose: () => void
}

const wrongName = (name: string, taken: readonly string[]) => {
  if (name === '') return 'A bucket needs a name'
  if (!newBucketName.test(name))
    return 'Lower-case letters, digits, dots and hyphens, with a letter or digit at both ends'
  return taken.includes(name) ? 'A bucket with this name exists' : undefined
}
const typesIn = (text: string) =>
  text
    .split(/[\s,]+/)
    .map((type) => type.trim())
    .filter((type) => type !== '')

/** Makes a bucket, or changes one. */
export function BucketDialog({ projectRef, bucket, taken, largest, onClose }: BucketDialogProps) {
  const [name, setName] = useState('')
  const [isPublic, setPublic] = useState(bucket?.public ?? false)
  const [limit, setLimit] = useState(() => limitOf(bucket?.file_size_limit ?? null))
  const [types, setTypes] = useState(bucket?.allowed_mime_types?.join('\n') ?? '')
  const [tried, setTried] = useState(false)
  const done = {
    changes: ofBuckets,
    onSuccess: () => {
      toast.success(bucket ? 'Bucket saved' : `Bucket ${name} created`)
      onClose()
    },
  }
  const create = useCall(storage.createBucket, done)
  const update = useCall(storage.updateBucket, done)
  const bytes = bytesOf(limit)
  const problems = {
    name: bucket ? undefined : wrongName(name, taken),
    limit: Number.isNaN(bytes)
      ? 'A number above zero'
      : bytes !== null && bytes > largest
        ? `At most ${bytesText(largest)}, the limit of the project`
        : undefined,
    types: typesIn(types).every((type) => /^[\w.+-]+\/(?:\*|[\w.+-]+)$/.test(type))
      ? undefined
      : 'Types such as image/png or image/*, one a line',
  }
  const wrong = Object.values(problems).some((problem) => problem !== undefined)
  function send() {
    setTried(true)
    if (wrong) return
    const allowed = typesIn(types)
    const settings = {
      public: isPublic,
      file_size_limit: bytes,
      allowed_mime_types: allowed.length > 0 ? allowed : null,
    }
    if (bucket) update.mutate({ ref: projectRef, id: bucket.id, ...settings })
    else create.mutate({ ref: projectRef, name, ...settings })
  }
  const error = create.error ?? update.error
  return (
    <FormDialog
      title={bucket ? `Edit ${bucket.name}` : 'New bucket'}
      verb={bucket ? 'Save bucket' : 'Create bucket'}
      pending={create.isPending || update.isPending}
      onSubmit={send}
      onClose={onClose}
    >
      <div className="form-stack">
        {!bucket && (
          <TextField
            label="Name"
            mono
            autoComplete="off"
            help="It cannot be changed later."
            error={tried ? problems.name : undefined}
            value={name}
            onChange={(event) => setName(event.target.value.trim())}
          />
        )}
        <Switch
          label="Public bucket"
          help="Anyone who knows the URL of a file can read it. Writing and listing still need a policy."
          checked={isPublic}
          onChange={setPublic}
        />
        {isPublic && !bucket?.public && (
          <Alert variant="warning" title="Anyone can read the files in this bucket" />
        )}
        <div className="field-pair">
          <TextField
            label="File size limit"
            inputMode="decimal"
            autoComplete="off"
            placeholder="Project limit"
            help={`At most ${bytesText(largest)}.`}
            error={tried ? problems.limit : undefined}
            value={limit.text}
            onChange={(event) => setLimit({ ...limit, text: event.target.value })}
          />
          <SelectField<SizeUnit>
            label="Unit"
            options={sizeUnits.map((unit) => ({ value: unit, label: unit }))}
            value={limit.unit}
            onChange={(unit) => setLimit({ ...limit, unit })}
          />
        </div>
        <TextArea
          label="Allowed types"
          mono
          placeholder="image/*"
          help="One per line. Leave empty to allow every type."
          error={tried ? problems.types : undefined}
          value={types}
          onChange={(event) => setTypes(event.target.value)}
        />
        {error && <Alert variant="danger" title={error.message} />}
      </div>
    </FormDialog>
  )
}
