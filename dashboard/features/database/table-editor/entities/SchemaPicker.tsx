import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { pgMeta } from '#contract/database/pg-meta'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { NewSchemaDialog } from '../../../../modules/tables/NewSchemaDialog.tsx'
import { useProject } from '../../../../session/project/use-project.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { OptionList } from '../../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { isProtected } from '../../../../modules/objects/protected-schemas.ts'
import { schemasQuery } from '../queries.ts'

type Props = { projectRef: string; schema: string; onSchema: (schema: string) => void }

export function SchemaPicker({ projectRef, schema, onSchema }: Props) {
  const [open, setOpen] = useState(false)
  const [creating, setCreating] = useState(false)
  const { data: schemas = [] } = useQuery(schemasQuery(projectRef))
  const why = useDenials(useProject(projectRef))
  const options = schemas.map(({ name }) => ({
    value: name,
    label: name,
    ...(isProtected(name) ? { detail: 'platform', group: 'Of the platform' } : {}),
  }))
  const own = options.filter(({ value }) => !isProtected(value))
  return (
    <>
      <Popover
        fit
        label="Schema"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button type="button" className="in sel" aria-haspopup="listbox">
            <span className="row">
              <span className="faint">schema</span>
              <span className="mono ell">{schema}</span>
            </span>
            <Icon of={ChevronsUpDown} size="xs" />
          </button>
        }
      >
        <OptionList
          label="Schema"
          search="Find a schema"
          options={[...own, ...options.filter(({ value }) => isProtected(value))]}
          value={schema}
          onSelect={(next) => {
            setOpen(false)
            onSchema(next)
          }}
          footer={
            !why(pgMeta.createSchema) && (
              <button
                type="button"
                className="mi"
                onClick={() => {
                  setOpen(false)
                  setCreating(true)
                }}
              >
                <Icon of={Plus} size="s" />
                New schema
              </button>
            )
          }
        />
      </Popover>
      {creating && (
        <NewSchemaDialog
          projectRef={projectRef}
          onClose={() => setCreating(false)}
          onCreated={onSchema}
        />
      )}
    </>
  )
}
