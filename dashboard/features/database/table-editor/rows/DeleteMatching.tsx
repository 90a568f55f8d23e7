import { useQuery } from '@tanstack/react-query'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { rowBulk } from '#contract/database/rows/row-bulk'
import { tableRows } from '#contract/database/rows/table-rows'
import { forget } from '../../../../api/client.ts'
import { useDatabaseCall } from '../../../../session/project/database.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { countQuery } from '../queries.ts'
import type { View } from '../search.ts'
import { counted } from '../../../../ui/text/number.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  view: View
  onClose: () => void
  onDone: () => void
}

/** Every row that is let through, on whatever page: counted first, and never more of them than were counted. */
export function DeleteMatching({ projectRef, entity, view, onClose, onDone }: Props) {
  const { filters } = view
  const exact = useQuery({
    ...countQuery(projectRef, entity.id, filters, true),
    staleTime: 0,
    gcTime: 0,
  })
  const count = exact.isFetching ? undefined : exact.data?.count
  const remove = useDatabaseCall(rowBulk.remove, {
    onSuccess: async ({ removed }) => {
      toast.success(`${counted(removed, 'row')} deleted`)
      onDone()
      await forget(tableRows.list, tableRows.count)
    },
    // Others have come meanwhile: the next try is about those, too.
    onError: ({ code }) => (code === 409 ? exact.refetch() : undefined),
  })
  const which = filters.length > 0 ? 'that match the filters' : 'of the table'
  return (
    <ConfirmDialog
      open
      title={
        <>
          Delete all rows of <span className="mono">{entity.name}</span>
          {filters.length > 0 && ' that match'}
        </>
      }
      verb={count === undefined ? 'Delete rows' : `Delete ${counted(count, 'row')}`}
      typeName={entity.name}
      error={(remove.error ?? exact.error)?.message}
      pending={remove.isPending || count === undefined}
      onClose={onClose}
      onConfirm={() => {
        if (count) remove.mutate({ ref: projectRef, id: entity.id, filters, most: count })
      }}
    >
      <p>
        {count === undefined
          ? 'Counting the rows'
          : `${counted(count, 'row')} ${which} are deleted at once, not only those on this page, and rows of other tables that are set to be deleted with them.`}{' '}
        This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
