import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { databaseServer, type Server } from '#contract/database/database-server'
import { dropMapping, importForeignSchema } from '#contract/ddl/foreign-data'
import { postgresWrappers, type WrapperOption } from '#contract/database/wrappers'
import { databaseObjects } from '#contract/database/database-objects'
import { pgMeta } from '#contract/database/pg-meta'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { Form } from '../../../ui/controls/Form.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { ForeignTableForm, isComplete, OptionFields } from './ForeignTableForm.tsx'

type Props = {
  projectRef: string
  server: Server
  why: string | undefined
  onDrop: () => void
  onDropTable: (table: { schema: string; name: string }) => void
  onClose: () => void
}

/** One server: where it is, who logs in to it as whom, and which of its tables are here. */
export function ServerPanel({ projectRef, server, why, onDrop, onDropTable, onClose }: Props) {
  const [adding, setAdding] = useState<'login' | 'import' | 'table'>()
  const { ask, dialog } = useReview(projectRef, databaseServer.foreign)
  const wrapper = postgresWrappers.find(({ name }) => name === server.wrapper)
  const done = () => setAdding(undefined)
  return (
    <SidePanel
      open
      size="large"
      onClose={onClose}
      title={<span className="mono">{server.name}</span>}
      footer={
        <Button size="form" variant="danger" disabledReason={why} onClick={onDrop}>
          Delete server
        </Button>
      }
    >
      <dl className="defs">
        <dt>Wrapper</dt>
        <dd className="mono">{server.wrapper}</dd>
        <dt>Owner</dt>
        <dd className="mono">{server.owner}</dd>
        {Object.entries(server.options).map(([name, value]) => (
          <OptionRow key={name} name={name} value={value} />
        ))}
      </dl>
      {wrapper?.imports && (
        <ConnectionTest projectRef={projectRef} server={server.name} why={why} />
      )}
      {wrapper?.mappingOptions && (
        <section className="form-stack">
          <h3 className="section-title">Logins</h3>
          {server.mappings.map(({ user }) => (
            <div className="row" key={user}>
              <span className="mono grow">{user}</span>
              <IconButton
                icon={Trash2}
                label={`Delete the login of ${user}`}
                disabledReason={why}
                onClick={() =>
                  ask({
                    change: dropMapping({ server: server.name, user }),
                    title: `Delete the login of ${user}`,
                    verb: 'Delete login',
                    danger: true,
                    done: 'The login is deleted',
                  })
                }
              />
            </div>
          ))}
          {adding === 'login' ? (
            <MappingForm
              projectRef={projectRef}
              server={server.name}
              options={wrapper.mappingOptions}
              onDone={done}
            />
          ) : (
            <div>
              <Button disabledReason={why} onClick={() => setAdding('login')}>
                Set a login
              </Button>
            </div>
          )}
        </section>
      )}
      <section className="form-stack">
        <h3 className="section-title">Foreign tables</h3>
        {server.tables.map((table) => (
          <div className="row" key={table.id}>
            <span className="mono grow ell">
              {table.schema}.{table.name}
            </span>
            <IconButton
              icon={Trash2}
              label={`Delete ${table.name}`}
              disabledReason={why}
              onClick={() => onDropTable(table)}
            />
          </div>
        ))}
        {adding === 'import' && (
          <ImportForm projectRef={projectRef} server={server.name} onDone={done} />
        )}
        {adding === 'table' && (
          <ForeignTableForm
            projectRef={projectRef}
            server={server.name}
            options={wrapper?.tableOptions ?? []}
            onDone={done}
          />
        )}
        {adding !== 'import' && adding !== 'table' && (
          <div className="row">
            {wrapper?.imports && (
              <Button disabledReason={why} onClick={() => setAdding('import')}>
                Import a schema
              </Button>
            )}
            <Button disabledReason={why} onClick={() => setAdding('table')}>
              Add a table
            </Button>
          </div>
        )}
      </section>
      {dialog}
    </SidePanel>
  )
}

/** Whether the other server answers, as whoever is signed in would read from it. */
function ConnectionTest({
  projectRef,
  server,
  why,
}: Pick<Props, 'projectRef' | 'why'> & { server: string }) {
  const test = useDatabaseCall(databaseServer.testServer)
  const failure = test.error?.message ?? test.data?.error
  return (
    <section className="form-stack">
      {failure && (
        <Alert variant="danger" title="The server did not answer">
          {failure}
        </Alert>
      )}
      {test.data?.error === null && <Alert variant="success" title="The server answers" />}
      <div>
        <Button
          disabledReason={why}
          busy={test.isPending}
          onClick={() => test.mutate({ ref: projectRef, server })}
        >
          Test the connection
        </Button>
      </div>
    </section>
  )
}

function OptionRow({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="mono">{name}</dt>
      <dd className="mono">{value}</dd>
    </>
  )
}

type MappingFormProps = {
  projectRef: string
  server: string
  options: readonly WrapperOption[]
  onDone: () => void
}

/** With which login a role here enters the other server. It holds a password, so it is no migration. */
function MappingForm({ projectRef, server, options, onDone }: MappingFormProps) {
  const [user, setUser] = useState('postgres')
  const [values, setValues] = useState<Record<string, string>>({})
  const set = useDatabaseCall(databaseServer.setMapping, {
    changes: [databaseServer.foreign],
    onSuccess: () => {
      toast.success('The login is set')
      onDone()
    },
  })
  const ready = isComplete(options, values)
  return (
    <Form
      error={set.error?.message}
      pending={set.isPending}
      onSubmit={() => ready && set.mutate({ ref: projectRef, server, user, options: values })}
    >
      <div className="form-stack">
        <SelectField
          label="For the role"
          value={user}
          onChange={setUser}
          options={['postgres', 'public', 'anon', 'authenticated', 'service_role'].map((value) => ({
            value,
            label: value === 'public' ? 'every role (public)' : value,
          }))}
        />
        <OptionFields options={options} values={values} onChange={setValues} />
        <p className="help">
          It replaces the login that the role has. The password stays in this database and is not
          part of the migrations.
        </p>
        <div className="row">
          <Button type="submit" variant="primary" busy={set.isPending} disabled={!ready}>
            Set login
          </Button>
          <Button onClick={onDone}>Cancel</Button>
        </div>
      </div>
    </Form>
  )
}

type ImportFormProps = { projectRef: string; server: string; onDone: () => void }

/** All tables of a schema over there, or some of them, as foreign tables here. */
function ImportForm({ projectRef, server, onDone }: ImportFormProps) {
  const [remote, setRemote] = useState('public')
  const [local, setLocal] = useState('')
  const [only, setOnly] = useState('')
  const { ask, dialog } = useReview(
    projectRef,
    databaseServer.foreign,
    databaseObjects.foreignTables,
    pgMeta.schemas,
    pgMeta.entities,
  )
  const ready = remote.trim() !== '' && local.trim() !== ''
  const names = only
    .split('\n')
    .map((name) => name.trim())
    .filter(Boolean)
  return (
    <div className="form-stack">
      <TextField
        label="Schema there"
        mono
        value={remote}
        onChange={(event) => setRemote(event.target.value)}
      />
      <TextField
        label="Schema here"
        mono
        placeholder="remote"
        help="It is created if it does not exist. If the API does not expose it, its rows are reachable only with SQL."
        value={local}
        onChange={(event) => setLocal(event.target.value)}
      />
      <TextField
        label="Only this table (optional)"
        mono
        value={only}
        onChange={(event) => setOnly(event.target.value)}
      />
      <div className="row">
        <Button
          variant="primary"
          disabled={!ready}
          onClick={() =>
            ready &&
            ask({
              change: importForeignSchema({
                server,
                remote: remote.trim(),
                local: local.trim(),
                createLocal: true,
                only: names,
              }),
              title: `Import ${remote.trim()}`,
              verb: 'Import schema',
              done: `${remote.trim()} is imported`,
              onDone,
            })
          }
        >
          Review
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
      {dialog}
    </div>
  )
}
