import { type ChangeEvent, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { dataApiDefaults, unexposable } from '#contract/data-api/data-api'
import { NewTablesChoice } from '../../../modules/objects/NewTablesChoice.tsx'
import { isProtected } from '../../../modules/objects/protected-schemas.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { schemaList } from '../../../modules/objects/schemas.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/controls/Field.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import type { DataApiForm } from './use-data-api.ts'

/** Made to be shown, though it belongs to the platform. */
const harmless = 'graphql_public'

/** Whether there is a data API, which schemas it shows, and its limits. */
export function DataApiFields({ projectRef, form }: { projectRef: string; form: DataApiForm }) {
  const { values, errors, change, reason } = form
  const locked = reason !== undefined
  const exposed = values.schemas.filter((name) => isProtected(name) && name !== harmless)
  const amount = (field: 'maxRows' | 'pool' | 'rateLimit') => ({
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    error: errors[field],
    readOnly: locked,
    value: values[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [field]: event.target.value }),
  })
  return (
    <div className="form-stack">
      <div>
        <Checkbox
          label="Enable the data API"
          checked={values.enabled}
          disabled={locked}
          onChange={(event) => change({ enabled: event.target.checked })}
        />
        <p className="data-api-note">
          While it is off, no one can reach the database over HTTP or GraphQL.
        </p>
      </div>
      {values.enabled && (
        <>
          <SchemaNames
            projectRef={projectRef}
            label="Exposed schemas"
            help="Requests can use the tables, views and functions in these schemas. The first is the default for requests that name none."
            names={values.schemas}
            error={errors.schemas}
            locked={locked}
            onNames={(schemas) => change({ schemas })}
          />
          {exposed.length > 0 && (
            <Alert variant="warning" title={`${exposed.join(', ')} belongs to the platform`}>
              Its contents are not meant to be exposed. Only its grants and policies protect them
              from anyone who has a key.
            </Alert>
          )}
        </>
      )}
      <NewTablesChoice
        value={values.newTables}
        locked={locked}
        help="For tables and views created from now on, in the dashboard or by SQL. Existing ones are not changed."
        onChoose={(newTables) => change({ newTables })}
      />
      <SchemaNames
        projectRef={projectRef}
        label="Extra search path"
        help="Requests also search these schemas for functions and types, without exposing them."
        names={values.searchPath}
        error={errors.searchPath}
        locked={locked}
        onNames={(searchPath) => change({ searchPath })}
      />
      <TextField
        label="Max rows"
        help={`The most rows in one response, whatever the request. ${dataApiDefaults.max_rows} by default.`}
        unit="rows"
        {...amount('maxRows')}
      />
      <TextField
        label="Pool size"
        help="The most connections for each request role. Leave empty for the default of the installation."
        unit="connections"
        placeholder="Installation default"
        {...amount('pool')}
      />
      <TextField
        label="Requests per caller"
        help="A signed-in user, or else a key at one IP address, gets 429 and a time to retry above this limit. Leave empty for no limit."
        unit="a minute"
        placeholder="No limit"
        {...amount('rateLimit')}
      />
    </div>
  )
}

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
function SchemaNames({ projectRef, label, help, names, error, locked, onNames }: Props) {
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
