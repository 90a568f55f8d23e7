import { useState } from 'react'
import { databaseFunctions, type DatabaseFunction } from '#contract/database/database-functions'
import { dropFunction } from '#contract/ddl/functions'
import { forget } from '../../../api/client.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { specOf } from './function-draft.ts'

type Props = { projectRef: string; found: DatabaseFunction; onClose: () => void }

/** Asks before a function goes. */
export function DropFunction({ projectRef, found, onClose }: Props) {
  const [cascade, setCascade] = useState(false)
  return (
    <ReviewChange
      projectRef={projectRef}
      change={dropFunction(specOf(found), cascade)}
      title={
        <>
          Delete <span className="mono">{found.name}</span>
        </>
      }
      verb={`Delete ${found.kind === 'procedure' ? 'procedure' : 'function'}`}
      danger
      onClose={onClose}
      onDone={async () => {
        toast.success(`${found.name} is deleted`)
        await forget(databaseFunctions.list)
        onClose()
      }}
    >
      <p className="help">Anything that calls it by name fails from now on.</p>
      <Checkbox
        label={
          <>
            Delete what depends on it too
            <span className="choice-help">
              Triggers, views, defaults and indexes that use it. Without this, Postgres refuses
              while any exist.
            </span>
          </>
        }
        checked={cascade}
        onChange={(event) => setCascade(event.target.checked)}
      />
    </ReviewChange>
  )
}
