import { useState } from 'react'
import { databaseTypes, type CustomType } from '#contract/database/database-types'
import { dropType } from '#contract/ddl/types'
import { pgMeta } from '#contract/database/pg-meta'
import { forget } from '../../../api/client.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { UsedBy } from './UsedBy.tsx'

type Props = { projectRef: string; type: CustomType; onClose: () => void }

/** Asks before a type goes; with the columns that have it, if that is wanted. */
export function DropType({ projectRef, type, onClose }: Props) {
  const [cascade, setCascade] = useState(false)
  return (
    <ReviewChange
      projectRef={projectRef}
      change={dropType(type, cascade)}
      title={
        <>
          Delete <span className="mono">{type.name}</span>
        </>
      }
      verb="Delete type"
      danger
      {...(cascade ? { typeName: type.name } : {})}
      onClose={onClose}
      onDone={async () => {
        toast.success(`${type.name} is deleted`)
        await forget(databaseTypes.list, pgMeta.types, pgMeta.entity)
        onClose()
      }}
    >
      <UsedBy type={type} />
      <Checkbox
        label={
          <>
            Delete what depends on it too
            <span className="choice-help">
              Those columns with all their values, and functions that accept or return it. Without
              this, Postgres refuses while any exist.
            </span>
          </>
        }
        checked={cascade}
        onChange={(event) => setCascade(event.target.checked)}
      />
    </ReviewChange>
  )
}
