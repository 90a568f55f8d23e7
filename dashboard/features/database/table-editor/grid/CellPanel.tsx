import { useQuery } from '@tanstack/react-query'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { tableRows } from '#contract/database/rows/table-rows'
import { databaseQuery } from '../../../../session/project/database.ts'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { SidePanel } from '../../../../ui/floats/SidePanel.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import type { StagedOfTable } from '../rows/staged-context.ts'
import type { CellPlace } from './TableGrid.tsx'
import type { TableModel } from '../table-model.ts'
import { ValueForm } from '../values/ValueForm.tsx'

type Props = {
  projectRef: string
  entity: EntityDetail
  model: TableModel
  table: StagedOfTable
  readOnly: string | undefined
  cell: CellPlace
  onClose: () => void
}

/** One value with room around it. What is only here by its beginning is loaded whole first. */
export function CellPanel({ projectRef, entity, model, cell, onClose, ...rest }: Props) {
  const column = entity.columns[cell.column]
  const view = model.cellAt(cell.row, cell.column)
  const key = model.keyAt(cell.row)
  const whole = useQuery({
    ...databaseQuery(tableRows.value, {
      ref: projectRef,
      id: entity.id,
      key: key ?? {},
      column: column?.name ?? '',
    }),
    enabled: view.cut === true && key !== undefined,
    gcTime: 0,
  })
  if (!column) return null
  const title = `${column.name} of ${entity.name}`
  if (view.cut && !whole.data)
    return (
      <SidePanel open size="large" title={title} onClose={onClose}>
        {whole.error ? (
          <ErrorNote what="value" error={whole.error} onRetry={() => void whole.refetch()} />
        ) : key ? (
          <Skeleton width={280} />
        ) : (
          <p className="muted">Without a primary key only the beginning of this value is shown.</p>
        )}
      </SidePanel>
    )
  const text = view.cut ? (whole.data?.value ?? null) : view.text
  return (
    <ValueForm
      {...rest}
      {...{ projectRef, entity, model, cell, onClose, title }}
      start={text}
      column={column}
    />
  )
}
