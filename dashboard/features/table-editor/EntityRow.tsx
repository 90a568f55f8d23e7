import { Link } from '@tanstack/react-router'
import { Eye, Layers, LockOpen, Table2, Unplug } from 'lucide-react'
import type { Entity, EntityKind } from '#contract/pg-meta-shapes'
import { Icon, type IconType } from '../../ui/Icon.tsx'
import { shortCount } from './short-count.ts'

export const kindIcons: Record<EntityKind, IconType> = {
  table: Table2,
  partitioned_table: Table2,
  view: Eye,
  materialized_view: Layers,
  foreign_table: Unplug,
}

type Props = { projectRef: string; entity: Entity; open: boolean; changed: boolean }

export function EntityRow({ projectRef, entity, open, changed }: Props) {
  const { id, kind, name, rows_estimate: rows, rls_enabled: secured, schema } = entity
  const exposed = kind === 'table' && !secured && schema === 'public'
  return (
    <Link
      to="/project/$ref/editor/$id"
      params={{ ref: projectRef, id: String(id) }}
      search={{ schema }}
      aria-current={open ? 'page' : undefined}
      title={name}
    >
      <Icon of={kindIcons[kind]} size="s" />
      <span className="ell">{name}</span>
      {exposed && (
        <span className="exposed" title="Row level security is off">
          <Icon of={LockOpen} size="s" />
          <span className="sr">Row level security is off</span>
        </span>
      )}
      {changed && (
        <span className="mod" title="Changes that are not applied">
          <span className="sr">Has changes that are not applied</span>
        </span>
      )}
      {rows !== null && <span className="end">{shortCount(rows)}</span>}
    </Link>
  )
}
