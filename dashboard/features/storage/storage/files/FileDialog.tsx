import type { FileEntry } from '#contract/storage/storage'
import type { Place } from './file-actions.ts'
import { DeleteDialog, FolderDialog, MoveDialog, RenameDialog } from './FileDialogs.tsx'
import { below } from './paths.ts'
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
