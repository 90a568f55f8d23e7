import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { tableRows, type NewCell } from '#contract/database/rows/table-rows'
import { callDatabase } from '../../../../session/project/database.ts'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { SidePanel } from '../../../../ui/floats/SidePanel.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { lockedBecause, typedCell } from '../grid/grid-columns.ts'
import { RowPanel } from './RowPanel.tsx'

type Props = Omit<ComponentProps<typeof RowPanel>, 'row' | 'initial'> & { row: number }

/** A new row that begins with what another one holds; what the database numbers by itself is left to it. */
export function DuplicateRow({ row, ...props }: Props) {
  const { projectRef, entity, model } = props
  const key = model.keyAt(row)
  const values = useQuery({
    queryKey: ['table-editor.duplicate', entity.id, row, key],
    queryFn: async ({ signal }) => {
      const copied = entity.columns.map(async (column, at): Promise<[string, NewCell][]> => {
        const own = entity.primary_key.includes(column.name) && column.default_value !== null
        if (lockedBecause(column) !== undefined || column.is_identity || own) return []
        const { text, cut, look } = model.cellAt(row, at)
        if (look === 'auto') return []
        if (!cut) return [[column.name, typedCell(column, text)]]
        if (!key)
          throw new Error(
            `Only the beginning of ${column.name} is loaded, and the row has no key by which to find the rest`,
          )
        const input = { ref: projectRef, id: entity.id, key, column: column.name }
        return [[column.name, (await callDatabase(tableRows.value, input, signal)).value]]
      })
      return Object.fromEntries((await Promise.all(copied)).flat())
    },
    gcTime: 0,
    staleTime: Infinity,
  })
  if (values.data) return <RowPanel {...props} row={undefined} initial={values.data} />
  return (
    <SidePanel open size="large" title="Duplicate row" onClose={props.onClose}>
      {values.error ? (
        <ErrorNote what="row" error={values.error} onRetry={() => void values.refetch()} />
      ) : (
        <Skeleton width={280} />
      )}
    </SidePanel>
  )
}
