import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Output } from '#contract/endpoint'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { pgMeta } from '#contract/database/pg-meta'
import { tableRows, type RowKey } from '#contract/database/rows/table-rows'
import { CallError, forget, queryClient } from '../../../../api/client.ts'
import { callDatabase } from '../../../../session/project/database.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { refusalOf, stands } from '../table-model.ts'
import { afterApply, pageAfterApply } from './after-apply.ts'
import { changesOf, countOf, markConflicts, type Staged } from './staged.ts'
import type { StagedOfTable } from './staged-context.ts'
import { keepUndo } from './UndoSave.tsx'

/** Rows that are looked at again when the server says that some of them changed. */
const maxChecked = 100

/** Changes that are saved without being looked over: deletions are asked about, and conflicts settled first. */
export function isPlain(staged: Staged): boolean {
  const { all, deletes, conflicts } = countOf(staged)
  return all > 0 && deletes === 0 && conflicts === 0
}

/**
 * Sends what is staged, all or nothing. When somebody else was faster, the rows in question are marked instead. What is
 * typed meanwhile stays staged; `atOnce` sends that next.
 */
export function useApply(
  projectRef: string,
  entity: EntityDetail,
  table: StagedOfTable,
  atOnce: boolean,
) {
  const run = useMutation<Output<typeof tableRows.apply>, CallError, Staged>({
    mutationFn: async (staged) => {
      const input = { ref: projectRef, id: entity.id, changes: changesOf(staged) }
      const answer = await callDatabase(tableRows.apply, input)
      await keepUndo(projectRef, entity, answer.inverse)
      return answer
    },
    onSuccess: (answer, staged) => {
      const left = (now: Staged) => afterApply(now, staged, answer, entity.primary_key)
      // What is edited next is compared with what stands in the database now.
      queryClient.setQueriesData<Output<typeof tableRows.list>>(
        { queryKey: [tableRows.list.name, { ref: projectRef, id: entity.id }] },
        (page) => page && pageAfterApply(page, staged, answer, entity.primary_key),
      )
      table.applied(left)
      const { all } = countOf(staged)
      toast.success(all === 1 ? 'Change applied' : `${all} changes applied`)
      // A mutation is told by every render what it is to do when it ends, so this table is the one of the last render.
      const rest = left(table.staged)
      if (atOnce && isPlain(rest)) run.mutate(rest)
      // Shown already: it is read again for what triggers and others have changed.
      void forget(tableRows.list, tableRows.count, pgMeta.entities)
    },
    onError: async (error, staged) => {
      // The table may be another by now: what it has is asked for, and what was typed stays.
      if (error.code !== 409) return forget(pgMeta.entity, tableRows.list)
      const updates = Object.entries(staged.updates).slice(0, maxChecked)
      const rows = await Promise.all(
        updates.map(([, { key }]) => findRow(projectRef, entity.id, key)),
      )
      table.change((now) =>
        updates.reduce((next, [id], i) => markConflicts(next, id, rows[i]), now),
      )
      return forget(tableRows.list)
    },
  })
  const { error, variables: sent } = run
  const refusal = useMemo(() => (error && sent ? refusalOf(error, sent) : undefined), [error, sent])
  // Who has changed what was refused has heard of it.
  const isOver = refusal !== undefined && !stands(refusal, table.staged)
  return { ...run, error: isOver ? null : error, refusal: isOver ? undefined : refusal }
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
