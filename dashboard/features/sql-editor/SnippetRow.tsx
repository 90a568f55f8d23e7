import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Copy, Ellipsis, FileCode, Lock, Pencil, Star, StarOff, Trash2, Users } from 'lucide-react'
import type { SnippetListItem } from '#contract/snippets'
import { profileQuery } from '../../session/profile.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { MenuItem } from '../../ui/MenuItem.tsx'
import { MenuSeparator } from '../../ui/MenuSeparator.tsx'
import type { RowAction } from './SnippetSection.tsx'
import { useSnippetChange } from './use-snippet-change.ts'
import { useIsUnsaved, useWorkspace } from './use-workspace.ts'

type Props = {
  snippet: SnippetListItem
  isCurrent: boolean
  onChosen: (() => void) | undefined
  onAsk: (action: RowAction) => void
}

export function SnippetRow({ snippet, isCurrent, onChosen, onAsk }: Props) {
  const { ref } = useWorkspace()
  const unsaved = useIsUnsaved(snippet.id)
  return (
    <li className="sql-row">
      <Link
        to="/project/$ref/sql/$id"
        params={{ ref, id: snippet.id }}
        aria-current={isCurrent ? 'page' : undefined}
        title={snippet.name}
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
  const { change, duplicate } = useSnippetChange()
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
