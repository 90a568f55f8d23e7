import { useQuery } from '@tanstack/react-query'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { TableLayout } from '#contract/database/table-views'
import { rowBulk } from '#contract/database/rows/row-bulk'
import { tableRows } from '#contract/database/rows/table-rows'
import { FileChoice } from '../../../modules/files/FileChoice.tsx'
import { ColumnPanel, DropColumnDialog } from '../../../modules/tables/table-panels.tsx'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { counted } from '../../../ui/text/number.ts'
import { CellMenu, ColumnMenu } from './grid/CellMenu.tsx'
import { countQuery } from './queries.ts'
import type { View } from './search.ts'
import {
  CellPanel,
  DuplicateRow,
  JsonPanel,
  PeekPanel,
  RowPanel,
  ImportPanel,
} from './lazy-panels.tsx'
import type { Overlay } from './overlay.ts'
import type { StagedOfTable } from './rows/staged-context.ts'
import type { TableModel } from './table-model.ts'
import { takeEdits } from './rows/edits.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  table: StagedOfTable
  model: TableModel
  readOnly: string | undefined
  readOnlySchema: string | undefined
  view: View
  onView: (next: Partial<View>) => void
  layout: TableLayout
  shown: readonly number[]
  onLayout: (layout: TableLayout) => void
  onImported: () => void
  overlay: Overlay | undefined
  onOpen: (overlay: Overlay | undefined) => void
  /** A menu closes itself after its choice, which must not close what that has opened. */
  onMenuClose: () => void
}

/** Whatever is open over the rows: a menu, a panel or a dialog. */
export function TableOverlays({ overlay, onOpen, onMenuClose, ...props }: Props) {
  const { projectRef, entity } = props
  if (!overlay) return null
  const onClose = () => onOpen(undefined)
  const fixedAt = (row: number) => props.readOnly ?? props.model.fixedBecause(row)
  switch (overlay.kind) {
    case 'review':
      return null
    case 'insert':
      return <RowPanel {...props} row={undefined} onClose={onClose} />
    case 'row':
      return (
        <RowPanel {...props} readOnly={fixedAt(overlay.row)} row={overlay.row} onClose={onClose} />
      )
    case 'duplicate':
      return <DuplicateRow {...props} row={overlay.row} onClose={onClose} />
    case 'cell':
      return (
        <CellPanel
          {...props}
          readOnly={fixedAt(overlay.cell.row)}
          cell={overlay.cell}
          onClose={onClose}
        />
      )
    case 'file':
      return (
        <FileChoice
          projectRef={projectRef}
          onClose={onClose}
          onChoose={(text) => {
            takeEdits(props, [{ ...overlay.cell, text }], 'typed')
            onClose()
          }}
        />
      )
    case 'peek':
      return <PeekPanel {...props} cell={overlay.cell} onClose={onClose} />
    case 'json':
      return <JsonPanel {...props} rows={overlay.rows} onClose={onClose} />
    case 'head-menu':
      return (
        <ColumnMenu
          {...props}
          column={overlay.column}
          place={overlay.place}
          onOpen={onOpen}
          onClose={onMenuClose}
        />
      )
    case 'cell-menu':
      return (
        <CellMenu
          {...props}
          cell={overlay.cell}
          place={overlay.place}
          onOpen={onOpen}
          onClose={onMenuClose}
        />
      )
    case 'column':
      return (
        <ColumnPanel
          projectRef={projectRef}
          tableId={entity.id}
          column={overlay.name}
          onClose={onClose}
          onDone={onClose}
        />
      )
    case 'drop-column':
      return (
        <DropColumnDialog
          projectRef={projectRef}
          tableId={entity.id}
          column={overlay.name}
          onClose={onClose}
          onDone={onClose}
        />
      )
    case 'delete-matching':
      return <DeleteMatching {...props} onClose={onClose} onDone={onClose} />
    case 'import':
      return (
        <ImportPanel
          projectRef={projectRef}
          schema={entity.schema}
          into={entity}
          onClose={onClose}
          onDone={props.onImported}
        />
      )
  }
}

type DeleteMatchingProps = {
  projectRef: string
  entity: EntityDetail
  view: View
  onClose: () => void
  onDone: () => void
}

/** Every row that is let through, on whatever page: counted first, and never more of them than were counted. */
function DeleteMatching({ projectRef, entity, view, onClose, onDone }: DeleteMatchingProps) {
  const { filters } = view
  const exact = useQuery({
    ...countQuery(projectRef, entity.id, filters, true),
    staleTime: 0,
    gcTime: 0,
  })
  const count = exact.isFetching ? undefined : exact.data?.count
  const remove = useDatabaseCall(rowBulk.remove, {
    changes: [tableRows.list, tableRows.count],
    onSuccess: ({ removed }) => {
      toast.success(`${counted(removed, 'row')} deleted`)
      onDone()
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
        if (count) remove.mutate({ ref: projectRef, id: entity.id, filters, max: count })
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
