import { useState } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import { databaseServer } from '#contract/database/database-server'
import { createForeignTable } from '#contract/ddl/foreign-data'
import { pgMeta } from '#contract/database/pg-meta'
import type { WrapperOption } from '#contract/database/wrappers'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { PasswordField } from '../../../ui/controls/PasswordField.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { foreignColumns } from './foreign-columns.ts'

type Props = {
  projectRef: string
  server: string
  options: readonly WrapperOption[]
  onDone: () => void
}

/** One foreign table, its columns written a line each. */
export function ForeignTableForm({ projectRef, server, options, onDone }: Props) {
  const [schema, setSchema] = useState('public')
  const [name, setName] = useState('')
  const [lines, setLines] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const { ask, dialog } = useReview(
    projectRef,
    databaseServer.foreign,
    databaseObjects.foreignTables,
    pgMeta.entities,
  )
  const columns = foreignColumns(lines)
  const problem = lines.trim() === '' || columns ? undefined : 'A name and a type on each line'
  const ready = name.trim() !== '' && schema.trim() !== '' && columns && isComplete(options, values)
  function review() {
    if (!ready || !columns) return
    ask({
      change: createForeignTable({
        schema: schema.trim(),
        name: name.trim(),
        server,
        columns,
        options: values,
      }),
      title: `Add ${name.trim()}`,
      verb: 'Add foreign table',
      done: `${name.trim()} is added`,
      onDone,
    })
  }
  return (
    <div className="form-stack">
      <TextField
        label="Schema here"
        mono
        value={schema}
        onChange={(event) => setSchema(event.target.value)}
      />
      <TextField
        label="Table here"
        mono
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="Columns"
        mono
        rows={5}
        placeholder={'id int8\ntitle text'}
        help="A name and a type on each line, in the order of the remote table."
        error={problem}
        value={lines}
        onChange={(event) => setLines(event.target.value)}
      />
      <OptionFields options={options} values={values} onChange={setValues} />
      <div className="row">
        <Button variant="primary" disabled={!ready} onClick={review}>
          Review
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
      {dialog}
    </div>
  )
}

type OptionFieldsProps = {
  options: readonly WrapperOption[]
  values: Readonly<Record<string, string>>
  onChange: (values: Record<string, string>) => void
}

/** One field for each thing that a wrapper wants to be told. */
export function OptionFields({ options, values, onChange }: OptionFieldsProps) {
  return options.map(({ name, label, secret, placeholder, required }) => {
    const shared = {
      label: required ? label : `${label} (optional)`,
      autoComplete: secret ? 'new-password' : 'off',
      value: values[name] ?? '',
      placeholder,
      onChange: (event: { target: { value: string } }) =>
        onChange({ ...values, [name]: event.target.value }),
    }
    return secret ? (
      <PasswordField key={name} {...shared} />
    ) : (
      <TextField key={name} mono {...shared} />
    )
  })
}

/** Whether everything that must be told is told. */
export const isComplete = (
  options: readonly WrapperOption[],
  values: Readonly<Record<string, string>>,
) => options.every(({ name, required }) => !required || Boolean(values[name]?.trim()))
