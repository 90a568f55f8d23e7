import { ListFilter, Rows3 } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'

type Props = {
  filtered: boolean
  readOnly: string | undefined
  onClear: () => void
  onInsert: () => void
  onImport: () => void
}

export function NoRows({ filtered, readOnly, onClear, onInsert, onImport }: Props) {
  return (
    <div className="grow">
      {filtered ? (
        <EmptyState
          icon={ListFilter}
          title="No row matches"
          action={<Button onClick={onClear}>Remove the filters</Button>}
        >
          The table has rows, but none match all of these filters.
        </EmptyState>
      ) : (
        <EmptyState
          icon={Rows3}
          title="No rows yet"
          action={
            <span className="row">
              <Button variant="primary" disabledReason={readOnly} onClick={onInsert}>
                Insert row
              </Button>
              <Button disabledReason={readOnly} onClick={onImport}>
                Import a file
              </Button>
            </span>
          }
        >
          Rows that you insert here, with SQL or through the API appear here.
        </EmptyState>
      )}
    </div>
  )
}
