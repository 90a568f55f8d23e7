import { useState } from 'react'
import { computeSizes } from '#contract/projects/compute-sizes'
import type { Project } from '#contract/projects/projects'
import { Alert } from '../../../ui/Alert.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { stringTypes } from './connection-strings.ts'
import { Files } from './Files.tsx'
import { PasswordChoice } from './PasswordChoice.tsx'
import type { ServerChoice } from './use-server.ts'

const noPooler = 'This installation has no connection pooler'

const methods = [
  { value: 'direct', label: 'Direct connection' },
  { value: 'transaction', label: 'Transaction pooler', disabledReason: noPooler },
  { value: 'session', label: 'Session pooler', disabledReason: noPooler },
] as const
type Method = (typeof methods)[number]['value']

/** The address of the Postgres server, in the form that a tool or driver takes it. */
export function ConnectionTab({ project, ...choice }: { project: Project } & ServerChoice) {
  const [typeId, setType] = useState('uri')
  const [method, setMethod] = useState<Method>('direct')
  const type = stringTypes.find(({ id }) => id === typeId) ?? stringTypes[0]
  const { server } = choice
  const { directConnections } = computeSizes[project.infra_compute_size]
  const parameters = [
    ['host', server.host],
    ['port', String(server.port)],
    ['database', server.database],
    ['user', server.user],
  ] as const
  return (
    <div className="form-stack">
      <div className="connect-choices">
        <SelectField
          label="Type"
          options={stringTypes.map(({ id, name }) => ({ value: id, label: name }))}
          value={type?.id}
          onChange={setType}
        />
        <SelectField label="Method" options={methods} value={method} onChange={setMethod} />
      </div>
      <PasswordChoice {...choice} />
      {type && <Files key={type.id} install={type.install} files={type.files(server)} />}
      <dl className="connect-parameters" aria-label="Parameters">
        {parameters.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <CopyButton text={value} what={name}>
                {value}
              </CopyButton>
            </dd>
          </div>
        ))}
      </dl>
      <Alert variant="neutral" title="Connections go straight to Postgres">
        {noPooler}, so there is no pool_mode to choose: each client is one of {directConnections}{' '}
        connections of this project. Use the pool of your driver, and keep it small in functions
        that run many times at once.
      </Alert>
    </div>
  )
}
