import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { pgMeta } from '#contract/database/pg-meta'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { forget, type CallError } from '../../../api/client.ts'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { rowsQuery } from './queries.ts'
import type { View } from './search.ts'
import type { Staged } from './rows/staged.ts'
import { tableModel, type Refusal } from './table-model.ts'

type Reading = {
  as: Impersonation | undefined
  /** Marks the cells that were refused. */
  refusal: Refusal | undefined
  /** Nothing is read yet. */
  waiting: boolean
}

/** One page of rows, with what is staged on top of it. */
export function useTableRows(
  projectRef: string,
  entity: EntityDetail,
  view: View,
  staged: Staged,
  { as, refusal, waiting }: Reading,
) {
  const page = useQuery({
    ...rowsQuery(projectRef, entity.id, view, as),
    enabled: !waiting,
    // Another page of the same table takes the place of this one when it is there.
    placeholderData: (before) => before,
  })
  const names = entity.columns.map(({ name }) => name).join('\n')
  // The table was altered meanwhile: these cells belong to columns that are not known yet.
  const altered = page.data !== undefined && page.data.columns.join('\n') !== names
  useEffect(() => {
    if (altered) void forget(pgMeta.entity)
  }, [altered])
  const rows = altered ? undefined : page.data?.rows
  const model = useMemo(
    () => tableModel(entity, rows ?? [], staged, refusal),
    [entity, rows, staged, refusal],
  )
  // What is selected is so by its place: other rows in these places are not.
  const places = useMemo(() => [rows, staged.inserts.length], [rows, staged.inserts.length])
  return { page, model, loaded: rows !== undefined, places }
}

/** Why rows were not read or saved, in words for somebody who has typed into them. */
export const tableProblem = ({ code, message }: CallError, { name }: EntityDetail) =>
  code === 404
    ? `${name} no longer exists: someone dropped it. What you typed is kept here.`
    : message
