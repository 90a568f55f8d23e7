import { Link } from '@tanstack/react-router'
import {
  EllipsisVertical,
  Eye,
  Layers,
  LockOpen,
  ShieldAlert,
  Table2,
  Unplug,
  Copy,
  CopyPlus,
  FlaskConical,
  Pencil,
  ShieldCheck,
  Trash2,
} from 'lucide-react'
import { memo } from 'react'
import type { Entity, EntityKind } from '#contract/database/pg-meta-shapes'
import { impersonation } from '#contract/data-api/impersonation'
import { pgMeta } from '#contract/database/pg-meta'
import { MenuAt } from '../../../../ui/floats/Menu.tsx'
import type { Place } from '../../../../ui/grid/grid-types.ts'
import { Icon, type IconType } from '../../../../ui/Icon.tsx'
import { shortCount } from '../grid/short-count.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { MenuItem, MenuSeparator } from '../../../../ui/floats/MenuItem.tsx'
import { useCopy } from '../../../../ui/controls/CopyButton.tsx'
import { ExportItems } from '../ExportItems.tsx'
import type { TableDialog } from '../TableDialogs.tsx'

export const kindIcons: Record<EntityKind, IconType> = {
  table: Table2,
  partitioned_table: Table2,
  view: Eye,
  materialized_view: Layers,
  foreign_table: Unplug,
}

type Props = {
  projectRef: string
  entity: Entity
  open: boolean
  changed: boolean
  /** The same one at each drawing: of a thousand rows only those that change are drawn anew. */
  onMenu: (menu: { entity: Entity; place: Place }) => void
}

/** Why whoever has the public key may see more than was meant; undefined when not. */
function warningOf({ kind, rls_enabled: secured, security_definer: definer, schema }: Entity) {
  if (schema !== 'public') return undefined
  if (kind === 'table' && !secured) return { icon: LockOpen, words: 'Row level security is off' }
  return kind === 'view' && definer
    ? { icon: ShieldAlert, words: "Reads its tables with its owner's rights, past their policies" }
    : undefined
}

export const EntityRow = memo(function EntityRow(props: Props) {
  const { projectRef, entity, open, changed, onMenu } = props
  const { id, kind, name, rows_estimate: rows, schema, is_partition: isPartition } = entity
  const warning = warningOf(entity)
  return (
    <div className="entity-row">
      <Link
        to="/project/$ref/editor/$id"
        params={{ ref: projectRef, id: String(id) }}
        search={{ schema }}
        aria-current={open ? 'page' : undefined}
        className={isPartition ? 'partition' : undefined}
        title={isPartition ? `${name}, a partition` : name}
        onContextMenu={(event) => {
          event.preventDefault()
          onMenu({ entity, place: { x: event.clientX, y: event.clientY, width: 1, height: 1 } })
        }}
      >
        <Icon of={kindIcons[kind]} size="s" />
        <span className="ell">{name}</span>
        {warning && (
          <span className="exposed" title={warning.words}>
            <Icon of={warning.icon} size="s" />
            <span className="sr">{warning.words}</span>
          </span>
        )}
        {changed && (
          <span className="mod" title="Changes that are not applied">
            <span className="sr">Has changes that are not applied</span>
          </span>
        )}
        {rows !== null && <span className="end">{shortCount(rows)}</span>}
      </Link>
      <button
        type="button"
        className="entity-more"
        aria-label={`Actions for ${name}`}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { x, y, width, height } = currentTarget.getBoundingClientRect()
          onMenu({ entity, place: { x, y, width, height } })
        }}
      >
        <Icon of={EllipsisVertical} size="s" />
      </button>
    </div>
  )
})

type EntityMenuProps = {
  projectRef: string
  entity: Entity
  locked: string | undefined
  place: Place
  onDialog: (kind: TableDialog['kind']) => void
  onClose: () => void
}

/** What can be done with a table or view without opening it. */
export function EntityMenu({
  projectRef,
  entity,
  locked,
  place,
  onDialog,
  onClose,
}: EntityMenuProps) {
  const why = useDenials(useProject(projectRef))
  const { copy } = useCopy()
  const { id, schema, name, kind } = entity
  const isTable = kind === 'table' || kind === 'partitioned_table'
  return (
    <MenuAt place={place} label={name} onClose={onClose}>
      <MenuItem
        icon={Table2}
        as={(look) => (
          <Link
            {...look}
            to="/project/$ref/editor/$id"
            params={{ ref: projectRef, id: String(id) }}
            search={{ schema }}
          />
        )}
      >
        Open
      </MenuItem>
      <MenuItem icon={Copy} onSelect={() => void copy(name)}>
        Copy name
      </MenuItem>
      {isTable && (
        <>
          <MenuItem
            icon={Pencil}
            disabledReason={locked ?? why(pgMeta.updateTable)}
            onSelect={() => onDialog('edit')}
          >
            Edit table
          </MenuItem>
          <MenuItem
            icon={CopyPlus}
            disabledReason={locked ?? why(pgMeta.createTable)}
            onSelect={() => onDialog('duplicate')}
          >
            Duplicate table
          </MenuItem>
          <MenuItem
            icon={ShieldCheck}
            as={(look) => (
              <Link
                {...look}
                to="/project/$ref/auth/policies"
                params={{ ref: projectRef }}
                search={{ schema, find: name }}
              />
            )}
          >
            View policies
          </MenuItem>
          <MenuItem
            icon={FlaskConical}
            disabledReason={why(impersonation.users)}
            as={(look) => (
              <Link
                {...look}
                to="/project/$ref/auth/policies"
                params={{ ref: projectRef }}
                search={{ schema, find: name, tester: id }}
              />
            )}
          >
            Test policies
          </MenuItem>
        </>
      )}
      <MenuSeparator />
      <ExportItems projectRef={projectRef} entity={entity} />
      {isTable && (
        <>
          <MenuSeparator />
          <MenuItem
            icon={Trash2}
            danger
            disabledReason={locked ?? why(pgMeta.deleteTable)}
            onSelect={() => onDialog('drop')}
          >
            Delete table
          </MenuItem>
        </>
      )}
    </MenuAt>
  )
}
