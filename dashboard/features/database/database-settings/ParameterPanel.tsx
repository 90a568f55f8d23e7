import { useState } from 'react'
import { databaseServer, type Parameter } from '#contract/database/database-server'
import { setParameter } from '#contract/ddl/parameters'
import { ObjectForm } from '../../../modules/objects/ObjectForm.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { effectOf, parameterText, valueProblem } from './parameter-text.ts'

type Props = {
  projectRef: string
  database: string
  parameter: Parameter
  about: string
  why: string | undefined
  onClose: () => void
}

/** One parameter: what it is now and for whom, and another value for the whole database. */
export function ParameterPanel({ projectRef, database, parameter, about, why, onClose }: Props) {
  const { name, unit, database_value: own, vartype, choices, roles, may_set: maySet } = parameter
  const shown = parameterText(own ?? parameter.setting, unit)
  const [text, setText] = useState(shown)
  const reason = why ?? (maySet ? undefined : `The operator sets ${name} for the whole server`)
  const problem = reason ? undefined : valueProblem(parameter, text)
  const ready = !reason && !problem && text !== shown
  const options = vartype === 'bool' ? ['on', 'off'] : choices
  const give = (to: string | null) => ({
    change: setParameter({ database }, { name, from: own, to }),
    title: to === null ? `Reset ${name}` : `Change ${name}`,
    verb: to === null ? 'Reset parameter' : 'Change parameter',
    done: `${name} is changed`,
    children: <p>It applies to every new session. Open sessions keep their value.</p>,
  })
  // What was "4 MB" for reading is "4MB" for Postgres.
  const requested = vartype === 'integer' ? text.replace(/\s+/g, '') : text
  return (
    <ObjectForm
      projectRef={projectRef}
      size="medium"
      title={<span className="mono">{name}</span>}
      review="Review"
      asked={ready ? give(requested) : undefined}
      locked={reason}
      others={(ask) =>
        own !== null && (
          <Button size="form" disabledReason={reason} onClick={() => ask(give(null))}>
            Reset
          </Button>
        )
      }
      forgets={[databaseServer.detail]}
      onClose={onClose}
    >
      {() => (
        <>
          <p className="muted">{about}</p>
          {reason && (
            <Alert variant="info" title={reason}>
              {effectOf(parameter)}.
            </Alert>
          )}
          {parameter.pending_restart && (
            <Alert variant="warning" title="A new value takes effect after a restart" />
          )}
          {options.length > 0 && !reason ? (
            <SelectField
              label="Value for this database"
              value={text}
              onChange={setText}
              options={options.map((value) => ({ value, label: value }))}
            />
          ) : (
            <TextField
              label="Value for this database"
              mono
              autoComplete="off"
              disabled={reason !== undefined}
              error={text === shown ? undefined : problem}
              help={rangeOf(parameter)}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
          <dl className="defs">
            <dt>Without it</dt>
            <dd className="mono">{parameterText(parameter.server_value, unit) || '(empty)'}</dd>
            <dt>Takes effect</dt>
            <dd>{effectOf(parameter)}</dd>
            {roles.map(({ role, value }) => (
              <RoleValue key={role} role={role} value={parameterText(value, unit)} />
            ))}
          </dl>
        </>
      )}
    </ObjectForm>
  )
}

function RoleValue({ role, value }: { role: string; value: string }) {
  return (
    <>
      <dt>
        For <span className="mono">{role}</span>
      </dt>
      <dd className="mono">{value}</dd>
    </>
  )
}

function rangeOf({ min, max, unit, vartype }: Parameter): string | undefined {
  if (vartype !== 'integer' && vartype !== 'real') return undefined
  if (min === null || max === null) return undefined
  // The largest number that Postgres can hold is no limit that anyone thinks of.
  return Number(max) >= 2_000_000_000
    ? `At least ${parameterText(min, unit)}.`
    : `From ${parameterText(min, unit)} to ${parameterText(max, unit)}.`
}
