import { Link } from '@tanstack/react-router'
import { ArrowUpDown, ChevronDown, FileUp, Plus } from 'lucide-react'
import { pgMeta } from '#contract/database/pg-meta'
import { entityKinds, type EntityKind } from '#contract/database/pg-meta-shapes'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import type { ListOrder } from '../queries.ts'

type Props = {
  projectRef: string
  schema: string
  /** Why nothing is made in this schema. */
  locked: string | undefined
  sort: ListOrder
  kinds: readonly EntityKind[]
  onSort: (sort: ListOrder) => void
  onKinds: (kinds: readonly EntityKind[]) => void
  onImport: () => void
}

const kindWords: Record<EntityKind, string> = {
  table: 'Tables',
  partitioned_table: 'Partitioned tables',
  view: 'Views',
  materialized_view: 'Materialized views',
  foreign_table: 'Foreign tables',
}

/** The head of the list: its order, what is in it, and how to make more. */
export function EntityHead(props: Props) {
  const { projectRef, schema, locked, sort, kinds, onSort, onKinds, onImport } = props
  const why = useDenials(useProject(projectRef))
  const denied = locked ?? why(pgMeta.createTable)
  const isOn = (kind: EntityKind) => kinds.length === 0 || kinds.includes(kind)
  const toggle = (kind: EntityKind) => {
    const next = entityKinds.filter((one) => (one === kind ? !isOn(one) : isOn(one)))
    onKinds(next.length === entityKinds.length ? [] : next)
  }
  return (
    <div className="side-head">
      <h2>Tables</h2>
      <span className="grow" />
      <Popover
        label="Order and kinds"
        align="end"
        trigger={
          <IconButton
            icon={ArrowUpDown}
            label="Order and kinds"
            className={kinds.length > 0 ? 'is-on' : undefined}
          />
        }
      >
        <div className="views">
          <Segmented
            label="Order"
            options={[
              { value: 'name', label: 'By name' },
              { value: 'kind', label: 'By kind' },
            ]}
            value={sort}
            onChange={onSort}
          />
          {entityKinds.map((kind) => (
            <Checkbox
              key={kind}
              label={kindWords[kind]}
              checked={isOn(kind)}
              disabled={kinds.length === 1 && isOn(kind)}
              onChange={() => toggle(kind)}
            />
          ))}
        </div>
      </Popover>
      {denied ? (
        <IconButton icon={Plus} label="New table" disabledReason={denied} />
      ) : (
        <>
          <Link
            className="btn gho sq"
            to="/project/$ref/editor/new"
            params={{ ref: projectRef }}
            search={{ schema }}
            aria-label="New table"
            title="New table"
          >
            <Plus className="i" aria-hidden />
          </Link>
          <Menu
            label="More ways to create a table"
            align="end"
            trigger={
              <IconButton icon={ChevronDown} iconSize="s" label="More ways to create a table" />
            }
          >
            <MenuItem icon={FileUp} onSelect={onImport}>
              New table from a file
            </MenuItem>
          </Menu>
        </>
      )}
    </div>
  )
}
