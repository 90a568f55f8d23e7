import type { ChangeEvent } from 'react'
import { dataApiDefaults } from '#contract/data-api'
import { NewTablesChoice } from '../../session/NewTablesChoice.tsx'
import { isProtected } from '../../session/protected-schemas.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { SchemaNames } from './SchemaNames.tsx'
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
          While it is off, nothing of the database is reached over HTTP or GraphQL.
        </p>
      </div>
      {values.enabled && (
        <>
          <SchemaNames
            projectRef={projectRef}
            label="Exposed schemas"
            help="Whose tables, views and functions requests may name. The first is meant where a request names none."
            names={values.schemas}
            error={errors.schemas}
            locked={locked}
            onNames={(schemas) => change({ schemas })}
          />
          {exposed.length > 0 && (
            <Alert variant="warning" title={`${exposed.join(', ')} belongs to the platform`}>
              What lies there was not made to be shown. Only its grants and policies stand between
              it and everybody who has a key.
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
        help="Where functions and types are looked for besides, without being exposed."
        names={values.searchPath}
        error={errors.searchPath}
        locked={locked}
        onNames={(searchPath) => change({ searchPath })}
      />
      <TextField
        label="Max rows"
        help={`One answer has no more rows, whatever is asked. ${dataApiDefaults.max_rows} unless changed.`}
        unit="rows"
        {...amount('maxRows')}
      />
      <TextField
        label="Pool size"
        help="Connections at most, for each role of requests. Empty for as many as the installation gives."
        unit="connections"
        placeholder="By the installation"
        {...amount('pool')}
      />
      <TextField
        label="Requests per caller"
        help="A signed-in user, or else a key at one address, who asks more often is answered with 429 and when to come back. Empty for no limit."
        unit="a minute"
        placeholder="No limit"
        {...amount('rateLimit')}
      />
    </div>
  )
}
