import { useMutation } from '@tanstack/react-query'
import type { EntityDetail } from '#contract/pg-meta-shapes'
import { pgMeta } from '#contract/pg-meta'
import { tableRows, type RowKey } from '#contract/table-rows'
import { CallError, forget } from '../../api/client.ts'
import { callDatabase } from '../../session/database.ts'
import { toast } from '../../ui/toast.ts'
import { changesOf, countOf, markConflicts, type Staged } from './staged.ts'
import type { StagedOfTable } from './staged-context.ts'
import { keepUndo } from './use-undo.ts'

/** Rows that are looked at again when the server says that some of them changed. */
const mostChecked = 100

/** Sends what is staged, all or nothing. When somebody else was faster, the rows in question are marked instead. */
export function useApply(projectRef: string, entity: EntityDetail, table: StagedOfTable) {
  return useMutation<number, CallError, Staged>({
    mutationFn: async (staged) => {
      const input = { ref: projectRef, id: entity.id, changes: changesOf(staged) }
      const { inverse } = await callDatabase(tableRows.apply, input)
      await keepUndo(projectRef, entity, inverse)
      return countOf(staged).all
    },
    onSuccess: async (count) => {
      table.clear()
      toast.success(count === 1 ? 'Change applied' : `${count} changes applied`)
      await forget(tableRows.list, tableRows.count, pgMeta.entities)
    },
    onError: async (error, staged) => {
      if (error.code !== 409) return
      const updates = Object.entries(staged.updates).slice(0, mostChecked)
      const rows = await Promise.all(
        updates.map(([, { key }]) => findRow(projectRef, entity.id, key)),
      )
      table.change((now) =>
        updates.reduce((next, [id], i) => markConflicts(next, id, rows[i]), now),
      )
      await forget(tableRows.list)
    },
  })
}

async function findRow(ref: string, id: number, key: RowKey) {
  const filters = Object.entries(key).map(([column, value]) => ({
    column,
    operator: '=' as const,
    value,
  }))
  const { columns, rows } = await callDatabase(tableRows.list, { ref, id, filters, limit: 1 })
  const [row] = rows
  return row && Object.fromEntries(columns.map((name, i) => [name, row[i] ?? null]))
}
