import {
  ClipboardCopy,
  Copy,
  Download,
  FolderInput,
  FolderOpen,
  Link2,
  Pencil,
  Trash2,
} from 'lucide-react'
import { storage, type FileEntry } from '#contract/storage/storage'
import { messageOf } from '../../../../api/client.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { MenuAt } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { useCopy } from '../../../../ui/controls/CopyButton.tsx'
import type { FileDialogOf } from './FileDialog.tsx'
import { saveEntries, type Place } from './file-actions.ts'
import { below } from './paths.ts'

export type MenuOf = { entry: FileEntry; where: { x: number; y: number }; place: Place }
type Props = {
  menu: MenuOf | undefined
  onClose: () => void
  onAsk: (kind: FileDialogOf['kind'], entries: readonly FileEntry[], at: string) => void
  onOpen: (folder: string, entry: FileEntry) => void
}

/** What can be done to a file or folder, where somebody has pointed. */
export function EntryMenu({ menu, ...rest }: Props) {
  return menu ? <OpenMenu menu={menu} {...rest} /> : null
}

function OpenMenu({ menu, onClose, onAsk, onOpen }: Props & { menu: MenuOf }) {
  const { entry, where, place } = menu
  const why = useDenials(useProject(place.projectRef))
  const { copy } = useCopy()
  const isFolder = entry.id === null
  const ask = (kind: FileDialogOf['kind']) => () => onAsk(kind, [entry], place.path)
  const path = below(place.path, entry.name)
  const save = () =>
    saveEntries(place, [entry]).catch((error: unknown) => toast.error(messageOf(error)))
  return (
    <MenuAt
      place={{ ...where, width: 1, height: 1 }}
      onClose={onClose}
      label={`Actions for ${entry.name}`}
    >
      <MenuItem icon={FolderOpen} onSelect={() => onOpen(place.path, entry)}>
        {isFolder ? 'Open' : 'Preview'}
      </MenuItem>
      <MenuItem icon={Download} onSelect={() => void save()}>
        Download
      </MenuItem>
      {!isFolder && (
        <MenuItem icon={Link2} disabledReason={why(storage.sign)} onSelect={ask('sign')}>
          Create signed URL
        </MenuItem>
      )}
      <MenuItem icon={ClipboardCopy} onSelect={() => void copy(path)}>
        Copy path
      </MenuItem>
      <MenuItem icon={Pencil} keys="F2" disabledReason={why(storage.move)} onSelect={ask('rename')}>
        Rename
      </MenuItem>
      <MenuItem icon={FolderInput} disabledReason={why(storage.move)} onSelect={ask('move')}>
        Move
      </MenuItem>
      <MenuItem icon={Copy} disabledReason={why(storage.copy)} onSelect={ask('copy')}>
        Copy
      </MenuItem>
      <MenuItem icon={Trash2} danger disabledReason={why(storage.remove)} onSelect={ask('delete')}>
        Delete
      </MenuItem>
    </MenuAt>
  )
}
