import { useState } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import {
  createPublication,
  publishedOperations,
  type PublishedOperation,
} from '#contract/ddl/publications'
import { ObjectForm } from '../../../modules/objects/ObjectForm.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'

type Props = { projectRef: string; allTablesReason: string | undefined; onClose: () => void }

/** Name and kinds of changes; its tables are chosen on its own page. */
export function PublicationForm({ projectRef, allTablesReason, onClose }: Props) {
  const [name, setName] = useState('')
  const [operations, setOperations] = useState<readonly PublishedOperation[]>(publishedOperations)
  const [all, setAll] = useState(false)
  const wanted = name.trim()
  const ready = wanted !== '' && operations.length > 0
  return (
    <ObjectForm
      projectRef={projectRef}
      size="medium"
      title="New publication"
      review="Review"
      asked={
        ready
          ? {
              change: createPublication({ name: wanted, operations, tables: all ? null : [] }),
              title: `Create ${wanted}`,
              verb: 'Create publication',
              done: `${wanted} is created`,
            }
          : undefined
      }
      forgets={[databaseObjects.publications]}
      onClose={onClose}
    >
      {() => (
        <>
          <TextField
            label="Name"
            mono
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the panel was opened to name a publication
            autoFocus
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <fieldset className="checks">
            <legend className="section-title">Publishes</legend>
            {publishedOperations.map((operation) => (
              <Checkbox
                key={operation}
                label={<span className="mono">{operation.toUpperCase()}</span>}
                checked={operations.includes(operation)}
                onChange={() =>
                  setOperations(
                    operations.includes(operation)
                      ? operations.filter((one) => one !== operation)
                      : [...operations, operation],
                  )
                }
              />
            ))}
          </fieldset>
          <Checkbox
            label={
              <>
                All tables
                <span className="choice-help">
                  {allTablesReason ??
                    'Including tables created later. You cannot change this afterwards.'}
                </span>
              </>
            }
            checked={all}
            disabled={allTablesReason !== undefined}
            onChange={(event) => setAll(event.target.checked)}
          />
          {!all && <p className="muted">You choose its tables next, on its own page.</p>}
        </>
      )}
    </ObjectForm>
  )
}
