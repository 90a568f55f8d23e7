import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type FileEntry, storage } from '#contract/storage/storage'
import { call, useChange } from '../../../../api/client.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { SelectField } from '../../../../ui/controls/Select.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { bucketsQuery, ofFiles } from '../queries.ts'
import { type Place, execute } from './file-actions.ts'
import { nameProblem, below, pathProblem, tidy } from './paths.ts'
import { SignDialog } from './SignDialog.tsx'

export type FileDialogOf = {
  kind: 'rename' | 'move' | 'copy' | 'delete' | 'folder' | 'sign'
  entries: readonly FileEntry[]
  place: Place
}
type Props = { dialog: FileDialogOf | undefined; onDone: () => void; onClose: () => void }

/** The dialog that is open, if one is. */
export function FileDialog({ dialog, onDone, onClose }: Props) {
  if (!dialog) return null
  const { kind, entries, place } = dialog
  const common = { place, entries, onDone, onClose }
  switch (kind) {
    case 'rename':
      return <RenameDialog {...common} />
    case 'move':
    case 'copy':
      return <MoveDialog kind={kind} {...common} />
    case 'delete':
      return <DeleteDialog {...common} />
    case 'folder':
      return <FolderDialog place={place} onClose={onClose} />
    case 'sign':
      return (
        <SignDialog
          projectRef={place.projectRef}
          bucket={place.bucket}
          path={below(place.path, entries[0]?.name ?? '')}
          onClose={onClose}
        />
      )
  }
}

type FileDialogsProps = {
  place: Place
  entries: readonly FileEntry[]
  onDone: () => void
  onClose: () => void
}

export const wordsFor = (entries: readonly FileEntry[]) =>
  entries.length === 1 ? (entries[0]?.name ?? '') : `${entries.length} items`

/** Another name in the same folder. */
function RenameDialog({ place, entries, onDone, onClose }: FileDialogsProps) {
  const [entry] = entries
  const rename = useMutation({
    mutationFn: (name: string) =>
      execute('move', place, entries, { bucket: place.bucket, path: place.path, name }),
    onSuccess: (how, name) => {
      if (how === 'done') toast.success(`Renamed to ${name}`)
      onDone()
    },
  })
  return (
    <NameDialog
      title={`Rename ${entry?.name ?? ''}`}
      verb="Rename"
      start={entry?.name ?? ''}
      pending={rename.isPending}
      error={rename.error}
      onName={rename.mutate}
      onClose={onClose}
    />
  )
}

/** To another folder or bucket; what is in the way there stays. */
function MoveDialog({
  kind,
  place,
  entries,
  onDone,
  onClose,
}: FileDialogsProps & { kind: 'move' | 'copy' }) {
  const { data } = useQuery(bucketsQuery(place.projectRef))
  const [bucket, setBucket] = useState(place.bucket)
  const [path, setPath] = useState(place.path)
  const [tried, setTried] = useState(false)
  const folder = tidy(path)
  const stays = bucket === place.bucket && folder === place.path
  const problem = pathProblem(folder) ?? (stays ? 'They are already there' : undefined)
  const verb = kind === 'move' ? 'Move' : 'Copy'
  const carry = useMutation({
    mutationFn: () => execute(kind, place, entries, { bucket, path: folder }),
    onSuccess: (how) => {
      if (how === 'done') toast.success(kind === 'move' ? 'Moved' : 'Copied')
      onDone()
    },
  })
  return (
    <FormDialog
      title={`${verb} ${wordsFor(entries)}`}
      verb={verb}
      pending={carry.isPending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (!problem) carry.mutate()
      }}
    >
      <div className="form-stack">
        <SelectField
          label="Bucket"
          options={(data?.buckets ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={bucket}
          onChange={setBucket}
        />
        <TextField
          label="Folder"
          mono
          autoComplete="off"
          placeholder="Bucket root"
          help="Such as pictures/2026. Missing folders are created."
          error={tried ? problem : undefined}
          value={path}
          onChange={(event) => setPath(event.target.value)}
        />
        {carry.error && <Alert variant="danger" title={carry.error.message} />}
      </div>
    </FormDialog>
  )
}

function DeleteDialog({ place, entries, onDone, onClose }: FileDialogsProps) {
  const remove = useMutation({
    mutationFn: () => execute('remove', place, entries),
    onSuccess: (how) => {
      if (how === 'done') toast.success(`${wordsFor(entries)} is deleted`)
      onDone()
    },
  })
  const folders = entries.some(({ id }) => id === null)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${wordsFor(entries)}`}
      verb="Delete"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
    >
      <p>
        {folders
          ? 'Folders are deleted with everything in them. Their URLs then return 404. The trash keeps the files for a while.'
          : 'Its URL then returns 404. The trash keeps it for a while.'}
      </p>
    </ConfirmDialog>
  )
}

function FolderDialog({ place, onClose }: { place: Place; onClose: () => void }) {
  const make = useChange(
    (name: string) =>
      call(storage.makeFolder, {
        ref: place.projectRef,
        id: place.bucket,
        path: below(place.path, name),
      }),
    {
      changes: ofFiles,
      onSuccess: (_, name) => {
        toast.success(`${name} created`)
        onClose()
      },
    },
  )
  return (
    <NameDialog
      title="New folder"
      verb="Create folder"
      start=""
      pending={make.isPending}
      error={make.error}
      onName={make.mutate}
      onClose={onClose}
    />
  )
}

type NameDialogProps = {
  title: string
  verb: string
  /** The name as it is. */
  start: string
  pending: boolean
  error: Error | null
  onName: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a file or folder. */
function NameDialog({ title, verb, start, pending, error, onName, onClose }: NameDialogProps) {
  const [typed, setTyped] = useState(start)
  const [tried, setTried] = useState(false)
  const name = typed.trim()
  const problem = nameProblem(name)
  return (
    <FormDialog
      title={title}
      verb={verb}
      disabled={start !== '' && name === start}
      pending={pending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (!problem) onName(name)
      }}
    >
      <TextField
        label="Name"
        mono
        autoComplete="off"
        error={tried ? problem : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {error && <Alert variant="danger" title={error.message} />}
    </FormDialog>
  )
}
