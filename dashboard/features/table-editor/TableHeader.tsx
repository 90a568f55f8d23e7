import { Link } from '@tanstack/react-router'
import {
  ChevronsUpDown,
  Copy,
  Ellipsis,
  Lock,
  LockOpen,
  Plus,
  ShieldCheck,
  ShieldOff,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { pgMeta } from '#contract/pg-meta'
import type { EntityDetail } from '#contract/pg-meta-shapes'
import { forget } from '../../api/client.ts'
import { useDatabaseCall } from '../../session/database.ts'
import { useDenials } from '../../session/permissions.ts'
import { useProject } from '../../session/use-project.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { MenuItem } from '../../ui/MenuItem.tsx'
import { MenuSeparator } from '../../ui/MenuSeparator.tsx'
import { toast } from '../../ui/toast.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import { DeleteTableDialog } from './DeleteTableDialog.tsx'
import { kindIcons } from './EntityRow.tsx'
import { shortCount } from './short-count.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  readOnly: string | undefined
  narrow: boolean
  onInsert: () => void
  onDeleted: () => void
}

/** Name, what it is for, how it is secured, and what can be done with it as a whole. */
export function TableHeader({ projectRef, entity, readOnly, narrow, onInsert, onDeleted }: Props) {
  const [deleting, setDeleting] = useState(false)
  const { copy } = useCopy()
  const why = useDenials(useProject(projectRef))
  const secure = useDatabaseCall(pgMeta.updateTable, {
    onSuccess: async ({ rls_enabled: on }) => {
      toast.success(on ? 'Row level security is on' : 'Row level security is off')
      await forget(pgMeta.entity, pgMeta.entities)
    },
    onError: (error) =>
      toast.error('Row level security was not changed', { description: error.message }),
  })
  const isTable = entity.kind === 'table' || entity.kind === 'partitioned_table'
  const setSecurity = (rls_enabled: boolean) =>
    secure.mutate({ ref: projectRef, id: entity.id, rls_enabled })
  const denied = why(pgMeta.updateTable)
  return (
    <header className="obj">
      {narrow ? (
        <Picker projectRef={projectRef} entity={entity} />
      ) : (
        <h1 className="ell">{entity.name}</h1>
      )}
      {entity.comment && <p className="muted ell hide-narrow">{entity.comment}</p>}
      {!narrow && <span className="grow" />}
      {readOnly && !narrow && (
        <Tooltip text={readOnly}>
          <button type="button" className="badge read-only">
            <Icon of={Lock} />
            Read-only
          </button>
        </Tooltip>
      )}
      {isTable && !narrow && <Security entity={entity} />}
      <Menu
        label="Table actions"
        align="end"
        trigger={<IconButton icon={Ellipsis} label="Table actions" />}
      >
        <MenuItem icon={Copy} onSelect={() => void copy(entity.name)}>
          Copy name
        </MenuItem>
        {isTable && (
          <>
            <MenuItem
              icon={entity.rls_enabled ? ShieldOff : ShieldCheck}
              disabledReason={denied}
              onSelect={() => setSecurity(!entity.rls_enabled)}
            >
              {entity.rls_enabled ? 'Turn row level security off' : 'Turn row level security on'}
            </MenuItem>
            <MenuSeparator />
            <MenuItem
              icon={Trash2}
              danger
              disabledReason={why(pgMeta.deleteTable)}
              onSelect={() => setDeleting(true)}
            >
              Delete table
            </MenuItem>
          </>
        )}
      </Menu>
      <Button icon={Plus} disabledReason={readOnly} onClick={onInsert}>
        {narrow ? 'Row' : 'Insert row'}
      </Button>
      {deleting && (
        <DeleteTableDialog
          projectRef={projectRef}
          entity={entity}
          onClose={() => setDeleting(false)}
          onDeleted={onDeleted}
        />
      )}
    </header>
  )
}

function Security({ entity }: { entity: EntityDetail }) {
  if (!entity.rls_enabled) {
    return (
      <Badge tone="warning" icon={LockOpen}>
        Row level security off
      </Badge>
    )
  }
  const { policies } = entity
  return (
    <Badge icon={ShieldCheck}>
      {policies === 0 ? 'No policies' : policies === 1 ? '1 policy' : `${policies} policies`}
    </Badge>
  )
}

/** On a phone the list of tables is a page of its own; this leads back to it. */
function Picker({ projectRef, entity }: { projectRef: string; entity: EntityDetail }) {
  return (
    <h1 className="table-picker">
      <Link
        className="in f sel grow"
        to="/project/$ref/editor"
        params={{ ref: projectRef }}
        search={{ schema: entity.schema }}
      >
        <Icon of={kindIcons[entity.kind]} size="s" />
        <span className="grow ell">{entity.name}</span>
        {entity.rows_estimate !== null && (
          <span className="muted t12">{shortCount(entity.rows_estimate)} rows</span>
        )}
        <Icon of={ChevronsUpDown} size="xs" />
        <span className="sr">All tables</span>
      </Link>
    </h1>
  )
}
