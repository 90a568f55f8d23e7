import { Link } from '@tanstack/react-router'
import { Copy, CopyPlus, FlaskConical, Pencil, ShieldCheck, Table2, Trash2 } from 'lucide-react'
import { impersonation } from '#contract/data-api/impersonation'
import { pgMeta } from '#contract/database/pg-meta'
import type { Entity } from '#contract/database/pg-meta-shapes'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/use-project.ts'
import type { Place } from '../../../../ui/grid/grid-types.ts'
import { MenuAt } from '../../../../ui/floats/MenuAt.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { MenuSeparator } from '../../../../ui/floats/MenuSeparator.tsx'
import { useCopy } from '../../../../ui/controls/use-copy.ts'
import { ExportItems } from '../ExportItems.tsx'
import type { TableDialog } from '../TableDialogs.tsx'

type Props = {
  projectRef: string
  entity: Entity
  locked: string | undefined
  place: Place
  onDialog: (kind: TableDialog['kind']) => void
  onClose: () => void
}

/** What can be done with a table or view without opening it. */
export function EntityMenu({ projectRef, entity, locked, place, onDialog, onClose }: Props) {
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
