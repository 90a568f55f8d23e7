import { useNavigate } from '@tanstack/react-router'
import { DropTableDialog, TablePanel } from '../../../modules/tables/table-panels.tsx'

export type TableDialog = { kind: 'edit' | 'duplicate' | 'drop'; id: number }

type Props = {
  projectRef: string
  schema: string
  dialog: TableDialog | undefined
  onClose: () => void
  /** Leaves the page of a table that is gone. */
  onDropped: (id: number) => unknown
}

/** The forms about a table as a whole. */
export function TableDialogs({ projectRef, schema, dialog, onClose, onDropped }: Props) {
  const navigate = useNavigate()
  if (!dialog) return null
  const { kind, id } = dialog
  switch (kind) {
    case 'edit':
    case 'duplicate':
      return (
        <TablePanel
          projectRef={projectRef}
          schema={schema}
          what={{ kind, id }}
          onClose={onClose}
          onDone={(made) => {
            onClose()
            if (kind === 'duplicate')
              void navigate({
                to: '/project/$ref/editor/$id',
                params: { ref: projectRef, id: String(made) },
                search: { schema },
              })
          }}
        />
      )
    case 'drop':
      return (
        <DropTableDialog
          projectRef={projectRef}
          tableId={id}
          onClose={onClose}
          onGone={() => onDropped(id)}
          onDone={onClose}
        />
      )
  }
}
