import { useState } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import {
  createPublication,
  publishedOperations,
  type PublishedOperation,
} from '#contract/ddl/publications'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'

type Props = { projectRef: string; allTablesReason: string | undefined; onClose: () => void }

/** Name and kinds of changes; its tables are chosen on its own page. */
export function CreatePublicationPanel({ projectRef, allTablesReason, onClose }: Props) {
  const [name, setName] = useState('')
  const [operations, setOperations] = useState<readonly PublishedOperation[]>(publishedOperations)
  const [all, setAll] = useState(false)
  const { ask, dialog } = useReview(projectRef, databaseObjects.publications)
  const ready = name.trim() !== '' && operations.length > 0
  // Beside the panel and not in it: submitting the one form must not submit the other.
  return (
    <>
      <SidePanel
        open
        onClose={onClose}
        title="New publication"
        shell={(inside) => (
          <Form
            error={undefined}
            pending={false}
            onSubmit={() =>
              ready &&
              ask({
                change: createPublication({
                  name: name.trim(),
                  operations,
                  tables: all ? null : [],
                }),
                title: `Create ${name.trim()}`,
                verb: 'Create publication',
                done: `${name.trim()} is created`,
                onDone: onClose,
              })
            }
          >
            {inside}
          </Form>
        )}
        footer={
          <>
            <Button size="form" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" size="form" variant="primary" disabled={!ready}>
              Review
            </Button>
          </>
        }
      >
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
      </SidePanel>
      {dialog}
    </>
  )
}
