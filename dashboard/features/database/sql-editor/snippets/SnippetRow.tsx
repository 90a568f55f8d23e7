import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  Copy,
  Download,
  Ellipsis,
  ExternalLink,
  FileCode,
  FolderInput,
  Lock,
  Pencil,
  Star,
  StarOff,
  Trash2,
  Users,
} from 'lucide-react'
import { useState } from 'react'
import type { SnippetListItem } from '#contract/database/snippets'
import { profileQuery } from '../../../../session/identity/profile.ts'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem, MenuSeparator } from '../../../../ui/floats/MenuItem.tsx'
import { messageOf } from '../../../../api/client.ts'
import { saveFile } from '../../../../ui/save-file.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { migrationName } from '../editor/query-title.ts'
import { fileName } from '../results/ExportMenu.tsx'
import { copyOf, type Values } from '../running/query-values.ts'
import { useWorkspace, useIsUnsaved } from '../use-workspace.ts'
import { startDrag } from './snippet-lists.ts'

/** Several queries that are chosen, to do something with all of them. */
export type Picking = { ids: ReadonlySet<string>; toggle: (id: string) => void }

export type RowAction = 'rename' | 'share' | 'delete' | 'move'

type Props = {
  snippet: SnippetListItem
  isCurrent: boolean
  picking: Picking | undefined
  onChosen: (() => void) | undefined
  onAsk: (action: RowAction) => void
}

export function SnippetRow({ snippet, isCurrent, picking, onChosen, onAsk }: Props) {
  const { ref } = useWorkspace()
  const { data: profile } = useSuspenseQuery(profileQuery)
  const unsaved = useIsUnsaved(snippet.id)
  if (picking) {
    const isForeign = snippet.owner_id !== profile.id
    return (
      <li className="sql-row sql-row-pick">
        <Checkbox
          label={<span className="ell">{snippet.name}</span>}
          checked={picking.ids.has(snippet.id)}
          disabled={isForeign}
          title={isForeign ? `It belongs to ${snippet.owner.username}` : undefined}
          onChange={() => picking.toggle(snippet.id)}
        />
      </li>
    )
  }
  return (
    <li className="sql-row">
      <Link
        to="/project/$ref/sql/$id"
        params={{ ref, id: snippet.id }}
        aria-current={isCurrent ? 'page' : undefined}
        title={snippet.name}
        onDragStart={(event) => startDrag(event.dataTransfer, snippet.id)}
        onClick={onChosen}
      >
        <Icon of={FileCode} />
        <span className="ell grow">{snippet.name}</span>
        {unsaved && <span className="mod" title="Not saved yet" />}
      </Link>
      <RowMenu snippet={snippet} onAsk={onAsk} />
    </li>
  )
}

function RowMenu({ snippet, onAsk }: Pick<Props, 'snippet' | 'onAsk'>) {
  const { ref } = useWorkspace()
  const { data: profile } = useSuspenseQuery(profileQuery)
  const navigate = useNavigate()
  const { change, duplicate, download } = useSnippetChange()
  const { id, name, favorite, visibility, owner, owner_id } = snippet
  const denied = owner_id === profile.id ? undefined : `Only ${owner.username} can change it`
  const shared = visibility === 'project'
  return (
    <Menu
      label={`Actions for ${name}`}
      align="end"
      trigger={<IconButton icon={Ellipsis} iconSize="s" label={`Actions for ${name}`} />}
    >
      <MenuItem icon={Pencil} disabledReason={denied} onSelect={() => onAsk('rename')}>
        Rename
      </MenuItem>
      <MenuItem
        icon={Copy}
        onSelect={() =>
          void duplicate(id).then((copy) => {
            if (copy) void navigate({ to: '/project/$ref/sql/$id', params: { ref, id: copy } })
          })
        }
      >
        Duplicate
      </MenuItem>
      <MenuItem
        icon={favorite ? StarOff : Star}
        onSelect={() => void change(id, { favorite: !favorite })}
      >
        {favorite ? 'Remove from favorites' : 'Add to favorites'}
      </MenuItem>
      {!shared && (
        <MenuItem icon={FolderInput} disabledReason={denied} onSelect={() => onAsk('move')}>
          Move to a folder
        </MenuItem>
      )}
      <MenuItem icon={Download} onSelect={() => void download(id, 'file')}>
        Download SQL file
      </MenuItem>
      <MenuItem icon={Download} onSelect={() => void download(id, 'migration')}>
        Download as migration
      </MenuItem>
      <MenuItem
        icon={ExternalLink}
        as={(props) => (
          <Link
            {...props}
            to="/project/$ref/sql/$id"
            params={{ ref, id }}
            target="_blank"
            rel="noopener"
          />
        )}
      >
        Open in a new window
      </MenuItem>
      <MenuItem
        icon={shared ? Lock : Users}
        disabledReason={denied}
        onSelect={() => onAsk('share')}
      >
        {shared ? 'Stop sharing' : 'Share with the project'}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger disabledReason={denied} onSelect={() => onAsk('delete')}>
        Delete
      </MenuItem>
    </Menu>
  )
}

/** Changes of queries from the list. All go through the open query, so that they never race what is being typed. */
export function useSnippetChange() {
  const { queries } = useWorkspace()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<string>()

  async function open(id: string) {
    const query = await queries.load(id)
    if (!query) throw new Error('This query does not exist any more')
    return query
  }

  /** True when it is saved; else `error` says why not, and a toast for what has no dialog. */
  async function change(id: string, values: Partial<Values>): Promise<boolean> {
    setPending(true)
    setError(undefined)
    try {
      const query = await open(id)
      query.edit(values)
      await query.save()
      const { save } = query.view()
      if (save.kind !== 'failed') return true
      setError(save.message)
      toast.error(save.message, { id: 'sql-change' })
    } catch (failure) {
      setError(messageOf(failure))
      toast.error(messageOf(failure), { id: 'sql-change' })
    } finally {
      setPending(false)
    }
    return false
  }

  /** The id of the copy, which belongs to the reader alone. */
  async function duplicate(id: string): Promise<string | undefined> {
    try {
      const query = await open(id)
      const copy = queries.create(copyOf(query.view().values))
      await copy.save()
      return copy.id
    } catch (failure) {
      toast.error(messageOf(failure), { id: 'sql-change' })
      return undefined
    }
  }
  /** The text as a file, or as one for the folder that migration tools read. */
  async function download(id: string, kind: 'file' | 'migration'): Promise<void> {
    try {
      const { name, sql } = (await open(id)).view().values
      const text = sql.endsWith('\n') ? sql : `${sql}\n`
      const file = kind === 'file' ? fileName(name, 'sql') : migrationName(name, new Date())
      saveFile(file, text, 'application/sql')
    } catch (failure) {
      toast.error(messageOf(failure), { id: 'sql-change' })
    }
  }
  return { change, duplicate, download, isPending, error }
}
