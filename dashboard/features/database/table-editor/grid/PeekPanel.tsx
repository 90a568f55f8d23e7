import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Table2 } from 'lucide-react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { tableRows, type RowFilter } from '#contract/database/rows/table-rows'
import { databaseQuery } from '../../../../session/project/database.ts'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { SidePanel } from '../../../../ui/floats/SidePanel.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { cellView } from './grid-columns.ts'
import { entityQuery } from '../queries.ts'
import { writeFilter } from '../filters/filter-text.ts'
import type { CellPlace } from './TableGrid.tsx'
import type { TableModel } from '../table-model.ts'
import { ValueText } from '../values/ValueText.tsx'

type Props = {
  projectRef: string
  entity: EntityDetail
  model: TableModel
  cell: CellPlace
  onClose: () => void
}

/** The row that a foreign key leads to, without leaving the table. */
export function PeekPanel({ projectRef, entity, model, cell, onClose }: Props) {
  const name = entity.columns[cell.column]?.name ?? ''
  const link = entity.foreign_keys.find((key) => key.columns.includes(name))
  const other = useQuery({
    ...entityQuery(projectRef, link?.target_id ?? 0),
    enabled: Boolean(link),
  })
  const filters: RowFilter[] = (link?.columns ?? []).flatMap((column, at) => {
    const place = entity.columns.findIndex((one) => one.name === column)
    const { text } = model.cellAt(cell.row, place)
    const target = link?.target_columns[at]
    return text === null || target === undefined
      ? []
      : [{ column: target, operator: '=' as const, value: text }]
  })
  const rows = useQuery({
    ...databaseQuery(tableRows.list, {
      ref: projectRef,
      id: link?.target_id ?? 0,
      filters,
      limit: 1,
    }),
    enabled: Boolean(link) && filters.length > 0,
  })
  if (!link) return null
  const [row] = rows.data?.rows ?? []
  const error = other.error ?? rows.error
  return (
    <SidePanel
      open
      size="medium"
      onClose={onClose}
      title={`Row of ${link.target_table}`}
      footer={
        <Link
          className="btn"
          to="/project/$ref/editor/$id"
          params={{ ref: projectRef, id: String(link.target_id) }}
          search={{ schema: link.target_schema, filter: filters.map(writeFilter) }}
        >
          <Icon of={Table2} />
          Open in {link.target_table}
        </Link>
      }
    >
      {error ? (
        <ErrorNote what="row" error={error} onRetry={() => void rows.refetch()} />
      ) : !rows.data || !other.data ? (
        <Skeleton width={200} />
      ) : !row ? (
        <p className="muted">There is no such row in {link.target_table}.</p>
      ) : (
        <dl className="peek">
          {other.data.columns.map((column) => (
            <div key={column.id}>
              <dt className="ell">{column.name}</dt>
              <dd className="mono">
                <ValueText
                  view={cellView(column, row[rows.data.columns.indexOf(column.name)] ?? null)}
                />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </SidePanel>
  )
}
