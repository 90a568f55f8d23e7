import { useQuery } from '@tanstack/react-query'
import { databaseFunctions } from '#contract/database/database-functions'
import { qualified } from '#contract/ddl/sql-text'
import { databaseQuery } from '../../../session/project/database.ts'
import { SelectField } from '../../../ui/controls/SelectField.tsx'

/** The functions that a trigger of rows (`trigger`) or of commands (`event_trigger`) can call. */
const callableQuery = (ref: string, return_type: Props['returns']) =>
  databaseQuery(databaseFunctions.list, { ref, return_type, limit: 10_000 }, 2_000)

type Props = {
  projectRef: string
  returns: 'trigger' | 'event_trigger'
  schema: string
  name: string
  error: string | undefined
  onFunction: (schema: string, name: string) => void
}

/** Chooses among the functions that a trigger can call. */
export function FunctionField({ projectRef, returns, schema, name, error, onFunction }: Props) {
  const { data } = useQuery(callableQuery(projectRef, returns))
  const functions = data ?? []
  const options = functions.map((one) => ({
    value: qualified(one.schema, one.name),
    label: one.name,
    detail: one.schema,
  }))
  const value = name === '' ? undefined : qualified(schema, name)
  // One of a schema that is not listed is kept and shown.
  const all =
    value === undefined || options.some((option) => option.value === value)
      ? options
      : [{ value, label: name, detail: schema }, ...options]
  return (
    <SelectField
      label="Function"
      options={all}
      value={value}
      error={error}
      help={
        data?.length === 0
          ? `No function returns ${returns} yet. Create one on the Functions page.`
          : undefined
      }
      onChange={(chosen) => {
        const found = functions.find((one) => qualified(one.schema, one.name) === chosen)
        if (found) onFunction(found.schema, found.name)
      }}
    />
  )
}
