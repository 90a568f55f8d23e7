import { useQuery } from '@tanstack/react-query'
import { schemaList } from '../../../../modules/objects/schemas.ts'
import { CodeBlock } from '../../../../ui/text/CodeBlock.tsx'
import { SelectField } from '../../../../ui/controls/SelectField.tsx'
import { grantsFor } from './hook-draft.ts'
import { hookFunctionsQuery } from '../queries.ts'
import type { HookForm } from './use-hook.ts'

/** A hook that is a function of the project's database: which one, and what lets the auth service call it. */
export function HookFunction({ projectRef, form }: { projectRef: string; form: HookForm }) {
  const { draft, change, errors, locked } = form
  const { schema, name } = draft
  const schemas = useQuery(schemaList(projectRef))
  const functions = useQuery(hookFunctionsQuery(projectRef, schema))
  const failed = schemas.error ?? functions.error
  const names = (schemas.data ?? []).map((one) => one.name)
  const found = functions.data ?? []
  // What is stored is shown also where it is not listed.
  const called = found.some((one) => one.name === name) || name === '' ? [] : [{ name, args: '' }]
  const chosen = [...called, ...found].find((one) => one.name === name)
  return (
    <>
      <SelectField
        label="Schema"
        disabled={locked}
        options={[...new Set([schema, ...names])].map((value) => ({ value, label: value }))}
        value={schema}
        onChange={(next) => change({ schema: next, name: '' })}
      />
      <SelectField
        label="Function"
        disabled={locked}
        placeholder="Choose a function"
        help={
          functions.data?.length === 0
            ? 'No function in this schema takes one argument of type json or jsonb. Create one on the Functions page of the database.'
            : 'Takes one argument of type json or jsonb. It must respond within 2 seconds.'
        }
        error={errors.name ?? failed?.message}
        options={[...called, ...found].map((one) => ({
          value: one.name,
          label: one.name,
          detail: one.args,
        }))}
        value={name === '' ? undefined : name}
        onChange={(next) => change({ name: next })}
      />
      {chosen && (
        <div className="labelled">
          <span>Required privileges</span>
          <CodeBlock
            language="sql"
            code={grantsFor(draft, chosen.args)}
            what="statements that grant the privileges"
          />
          <p className="muted t12">
            Run these statements in the SQL editor. The auth service can then call the function, and
            no data API client can.
          </p>
        </div>
      )}
    </>
  )
}
