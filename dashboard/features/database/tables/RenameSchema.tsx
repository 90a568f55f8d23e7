import { useState } from 'react'
import type { Change } from '#contract/ddl/change'
import { renameSchema } from '#contract/ddl/schemas'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { nameProblem } from '../../../modules/objects/name-problem.ts'
import { forgetSchemas, forgetTables } from '../../../modules/tables/table-queries.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'

type Props = {
  projectRef: string
  schema: string
  onClose: () => void
  onRenamed: (name: string) => void
}

export function RenameSchema({ projectRef, schema, onClose, onRenamed }: Props) {
  const [name, setName] = useState(schema)
  const [change, setChange] = useState<Change>()
  const wanted = name.trim()
  const problem = nameProblem(wanted)
  const ready = !problem && wanted !== schema
  return (
    <>
      <Dialog
        open
        onClose={onClose}
        title={
          <>
            Rename <span className="mono">{schema}</span>
          </>
        }
        shell={(inside) => (
          <Form
            error={undefined}
            pending={false}
            onSubmit={() => ready && setChange(renameSchema(schema, wanted))}
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
              Rename schema
            </Button>
          </>
        }
      >
        <div className="form-stack">
          <TextField
            label="Name"
            mono
            autoComplete="off"
            error={problem}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <Alert variant="warning" title="Programs and functions that name the schema stop working">
            Views and foreign keys follow by themselves; SQL in functions and in your code does not.
          </Alert>
        </div>
      </Dialog>
      <ReviewChange
        projectRef={projectRef}
        change={change}
        title="Rename schema"
        verb="Rename schema"
        onClose={() => setChange(undefined)}
        onDone={async () => {
          onClose()
          onRenamed(wanted)
          await Promise.all([forgetSchemas(), forgetTables()])
        }}
      />
    </>
  )
}
