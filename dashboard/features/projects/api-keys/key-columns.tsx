import { Ellipsis, Pencil, Trash2, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { apiKeys, type ApiKey } from '#contract/projects/api-keys'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { call, messageOf } from '../../../api/client.ts'
import { toast } from '../../../ui/floats/toast.ts'

type Parts = {
  projectRef: string
  /** Why the reader may not, by endpoint. */
  why: (endpoint: (typeof apiKeys)['update' | 'remove']) => string | undefined
  /** Why they may not see secret keys whole. */
  mayNotReveal: string | undefined
  onEdit: (key: ApiKey) => void
  onDelete: (key: ApiKey) => void
}

export const keyColumns = (parts: Parts): Column<ApiKey>[] => [
  {
    id: 'name',
    head: 'Name',
    width: '220px',
    sortBy: ({ name }) => name,
    cell: ({ name, description }) => (
      <>
        <span className="med mono ell">{name}</span>
        {description && <span className="choice-help ell">{description}</span>}
      </>
    ),
  },
  {
    id: 'key',
    head: 'Key',
    cell: (key) =>
      key.type === 'secret' ? (
        <SecretCell projectRef={parts.projectRef} apiKey={key} denied={parts.mayNotReveal} />
      ) : (
        <span className="row">
          <span className="mono ell">{key.api_key}</span>
          <CopyButton text={key.api_key} what={`the key ${key.name}`} />
        </span>
      ),
  },
  {
    id: 'used',
    head: 'Last used',
    width: '120px',
    wideOnly: true,
    sortBy: ({ last_used_at: at }) => (at ? Date.parse(at) : 0),
    cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : <span className="faint">Never</span>),
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '56px',
    numeric: true,
    cell: (key) => (
      <Menu
        label={`Actions of ${key.name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`Actions of ${key.name}`} />}
      >
        <MenuItem
          icon={Pencil}
          disabledReason={parts.why(apiKeys.update)}
          onSelect={() => parts.onEdit(key)}
        >
          Edit name and description
        </MenuItem>
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={parts.why(apiKeys.remove)}
          onSelect={() => parts.onDelete(key)}
        >
          Delete key
        </MenuItem>
      </Menu>
    ),
  },
]

type Props = { projectRef: string; apiKey: ApiKey; denied: string | undefined }

/** A secret key: its beginning, and the whole once it is asked for. It is read for that only and kept nowhere. */
function SecretCell({ projectRef, apiKey: { id, name, api_key }, denied }: Props) {
  const [text, setText] = useState<string>()
  const [reading, setReading] = useState(false)

  async function reveal() {
    setReading(true)
    try {
      setText((await call(apiKeys.get, { ref: projectRef, id, reveal: true })).api_key)
    } catch (error) {
      toast.error(`The key could not be read: ${messageOf(error)}`)
    }
    setReading(false)
  }

  const shown = text !== undefined
  return (
    <span className="row">
      <span className="mono ell">{text ?? api_key}</span>
      <IconButton
        icon={shown ? EyeOff : Eye}
        iconSize="s"
        label={shown ? `Hide the key ${name}` : `Reveal the key ${name}`}
        aria-pressed={shown}
        busy={reading}
        disabledReason={denied}
        onClick={() => (shown ? setText(undefined) : void reveal())}
      />
      {shown && <CopyButton text={text} what={`the key ${name}`} />}
    </span>
  )
}
