import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { unexposable } from '#contract/data-api/data-api'
import { schemaList } from '../../../modules/objects/schemas.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/controls/Field.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'

type Props = {
  projectRef: string
  label: string
  help: string
  names: readonly string[]
  error: string | undefined
  locked: boolean
  onNames: (names: string[]) => void
}

/** Some schemas of the database, in an order that matters. */
export function SchemaNames({ projectRef, label, help, names, error, locked, onNames }: Props) {
  const [open, setOpen] = useState(false)
  const { data: schemas = [], error: failed } = useQuery(schemaList(projectRef))
  const left = schemas
    .map(({ name }) => name)
    .filter((name) => !names.includes(name) && !unexposable.includes(name))
  return (
    <Field label={label} help={help} error={error ?? failed?.message}>
      {(control) => (
        <div className="schema-names">
          {names.map((name) => (
            <span key={name} className="schema-name mono">
              {name}
              {!locked && (
                <button
                  type="button"
                  aria-label={`Remove ${name} from ${label.toLowerCase()}`}
                  onClick={() => onNames(names.filter((one) => one !== name))}
                >
                  <Icon of={X} size="xs" />
                </button>
              )}
            </span>
          ))}
          {!locked && (
            <Popover
              label={label}
              open={open}
              onOpenChange={setOpen}
              trigger={
                <Button {...control} variant="ghost" icon={Plus}>
                  Add schema
                </Button>
              }
            >
              <OptionList
                label={label}
                search="Find a schema"
                nothing="No other schema"
                options={left.map((name) => ({ value: name, label: name }))}
                value={undefined}
                onSelect={(name) => {
                  setOpen(false)
                  onNames([...names, name])
                }}
              />
            </Popover>
          )}
        </div>
      )}
    </Field>
  )
}
