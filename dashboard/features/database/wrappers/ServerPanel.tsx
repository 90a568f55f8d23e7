import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { databaseServer, type Server } from '#contract/database/database-server'
import { dropMapping } from '#contract/ddl/foreign-data'
import { postgresWrappers } from '#contract/database/wrappers'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { ForeignTableForm } from './ForeignTableForm.tsx'
import { ImportForm } from './ImportForm.tsx'
import { MappingForm } from './MappingForm.tsx'

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

function OptionRow({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="mono">{name}</dt>
      <dd className="mono">{value}</dd>
    </>
  )
}
