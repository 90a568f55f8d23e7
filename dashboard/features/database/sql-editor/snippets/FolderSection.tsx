import { ChevronRight, Ellipsis, Folder, FolderOpen, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { snippetFolders, type SnippetFolder } from '#contract/database/snippet-folders'
import { snippets } from '#contract/database/snippets'
import { useCall } from '../../../../api/client.ts'
import { cx } from '../../../../ui/cx.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { useWorkspace } from '../use-workspace.ts'
import { NameFolderDialog } from './FolderDialogs.tsx'
import { draggedId, isQuery } from './snippet-lists.ts'
import { SnippetSection, type ListProps } from './SnippetSection.tsx'

type Props = ListProps & { folder: SnippetFolder }

/** A folder that opens and closes, with what is in it. */
export function FolderSection({ folder, ...list }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [asked, setAsked] = useState<'rename' | 'delete'>()
  const close = () => setAsked(undefined)
  const { ref } = useWorkspace()
  const [isOver, setOver] = useState(false)
  const move = useCall(snippetFolders.move, {
    changes: [snippets.list, snippetFolders.list],
    onError: (error) => toast.error(error.message, { id: 'sql-move' }),
  })
  function drop(transfer: DataTransfer) {
    setOver(false)
    const id = draggedId(transfer)
    if (id) move.mutate({ ref, ids: [id], folder_id: folder.id })
  }
  return (
    <div className="sql-folder">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dragging is a shortcut with the mouse; "Move to a folder" in each query's menu does the same */}
      <div
        className={cx('sql-row', isOver && 'is-over')}
        onDragOver={(event) => {
          if (!isQuery(event.dataTransfer)) return
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          drop(event.dataTransfer)
        }}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          title={folder.name}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={ChevronRight} size="s" className={cx('sql-plan-turn', isOpen && 'on')} />
          <Icon of={isOpen ? FolderOpen : Folder} />
          <span className="ell grow">{folder.name}</span>
          <span className="end tn">{folder.count}</span>
        </button>
        <Menu
          label={`Actions for the folder ${folder.name}`}
          align="end"
          trigger={
            <IconButton
              icon={Ellipsis}
              iconSize="s"
              label={`Actions for the folder ${folder.name}`}
            />
          }
        >
          <MenuItem icon={Pencil} onSelect={() => setAsked('rename')}>
            Rename
          </MenuItem>
          <MenuItem icon={Trash2} danger onSelect={() => setAsked('delete')}>
            Delete
          </MenuItem>
        </Menu>
      </div>
      {isOpen && (
        <SnippetSection
          {...list}
          section="private"
          folder={folder.id}
          title={folder.name}
          count={undefined}
        />
      )}
      {asked === 'rename' && <NameFolderDialog folder={folder} onClose={close} />}
      {asked === 'delete' && <DeleteFolderDialog folder={folder} onClose={close} />}
    </div>
  )
}

type DeleteFolderDialogProps = { folder: SnippetFolder; onClose: () => void }

function DeleteFolderDialog({ folder: { id, name, count }, onClose }: DeleteFolderDialogProps) {
  const { ref } = useWorkspace()
  const remove = useCall(snippetFolders.remove, {
    changes: [snippetFolders.list, snippets.list],
    onSuccess: onClose,
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the folder ${name}?`}
      verb="Delete folder"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref, id })}
    >
      <p>
        {count === 0
          ? 'It is empty.'
          : `No query is lost: its ${count === 1 ? 'one query stays' : `${count} queries stay`}, outside of any folder.`}
      </p>
    </ConfirmDialog>
  )
}
