import { Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { dropSchema, renameSchema } from '#contract/ddl/schemas'
import { migrations } from '#contract/database/migrations'
import type { Change } from '#contract/ddl/change'
import { useDenials } from '../../../session/organization/permissions.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { NewSchemaDialog } from '../../../modules/tables/NewSchemaDialog.tsx'
import { forgetSchemas, forgetTables } from '../../../modules/tables/table-queries.ts'
import { useProject } from '../../../session/project/project.ts'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { nameProblem } from '../../../modules/objects/name-problem.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'

type Props = { projectRef: string; schema: string; onSchema: (schema: string) => void }

/** Makes, renames and deletes schemas. */
export function SchemaMenu({ projectRef, schema, onSchema }: Props) {
  const [open, setOpen] = useState<'new' | 'rename' | 'drop'>()
  const why = useDenials(useProject(projectRef))
  const denied = why(migrations.change)
  const kept = schema === 'public' ? 'Programs expect the schema public to be there.' : undefined
  const locked = denied ?? protection(schema) ?? kept
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu label="Schema actions" trigger={<IconButton icon={Ellipsis} label="Schema actions" />}>
        <MenuItem icon={Plus} disabledReason={denied} onSelect={() => setOpen('new')}>
          New schema
        </MenuItem>
        <MenuItem icon={Pencil} disabledReason={locked} onSelect={() => setOpen('rename')}>
          Rename {schema}
        </MenuItem>
        <MenuItem icon={Trash2} danger disabledReason={locked} onSelect={() => setOpen('drop')}>
          Delete {schema}
        </MenuItem>
      </Menu>
      {open === 'new' && (
        <NewSchemaDialog projectRef={projectRef} onClose={close} onCreated={onSchema} />
      )}
      {open === 'rename' && (
        <RenameSchema
          projectRef={projectRef}
          schema={schema}
          onClose={close}
          onRenamed={onSchema}
        />
      )}
      {open === 'drop' && (
        <DropSchema
          projectRef={projectRef}
          schema={schema}
          onClose={close}
          onDropped={() => onSchema('public')}
        />
      )}
    </>
  )
}

type DropProps = {
  projectRef: string
  schema: string
  onClose: () => void
  onDropped: () => void
}

function DropSchema({ projectRef, schema, onClose, onDropped }: DropProps) {
  const [cascade, setCascade] = useState(false)
  return (
    <ReviewChange
      projectRef={projectRef}
      change={dropSchema(schema, cascade)}
      title={
        <>
          Delete schema <span className="mono">{schema}</span>
        </>
      }
      verb="Delete schema"
      danger
      typeName={schema}
      onClose={onClose}
      onDone={async () => {
        toast.success(`${schema} is deleted`)
        onClose()
        onDropped()
        await Promise.all([forgetSchemas(), forgetTables()])
      }}
    >
      <Checkbox
        label={
          <>
            With everything in it
            <span className="choice-help">
              Tables with all their rows, functions and types. This cannot be undone. Without this
              option, the database refuses unless the schema is empty.
            </span>
          </>
        }
        checked={cascade}
        onChange={({ target }) => setCascade(target.checked)}
      />
    </ReviewChange>
  )
}

type RenameSchemaProps = {
  projectRef: string
  schema: string
  onClose: () => void
  onRenamed: (name: string) => void
}

function RenameSchema({ projectRef, schema, onClose, onRenamed }: RenameSchemaProps) {
  const [name, setName] = useState(schema)
  const [change, setChange] = useState<Change>()
  const newName = name.trim()
  const problem = nameProblem(newName)
  const ready = !problem && newName !== schema
  return (
    <>
      <FormDialog
        title={
          <>
            Rename <span className="mono">{schema}</span>
          </>
        }
        verb="Rename schema"
        disabled={!ready}
        onSubmit={() => ready && setChange(renameSchema(schema, newName))}
        onClose={onClose}
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
      </FormDialog>
      <ReviewChange
        projectRef={projectRef}
        change={change}
        title="Rename schema"
        verb="Rename schema"
        onClose={() => setChange(undefined)}
        onDone={async () => {
          onClose()
          onRenamed(newName)
          await Promise.all([forgetSchemas(), forgetTables()])
        }}
      />
    </>
  )
}
