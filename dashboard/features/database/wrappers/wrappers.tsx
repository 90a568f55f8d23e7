import { useQuery } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { useState } from 'react'
import type { Output } from '#contract/endpoint'
import { databaseObjects } from '#contract/database/database-objects'
import { databaseServer, type Server } from '#contract/database/database-server'
import { dropForeignTable, dropServer, createServer } from '#contract/ddl/foreign-data'
import { migrations } from '#contract/database/migrations'
import { postgresWrappers, type WrapperEntry } from '#contract/database/wrappers'
import { extensionsQuery, foreignQuery } from '../../../modules/objects/lists.ts'
import { codeColumn, nameColumn } from '../../../modules/objects/list/object-columns.tsx'
import {
  byText,
  noneFound,
  type Place,
  type Resource,
} from '../../../modules/objects/list/resource.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { ObjectForm } from '../../../modules/objects/ObjectForm.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { isComplete, OptionFields } from './ForeignTableForm.tsx'
import { ServerPanel } from './ServerPanel.tsx'
import { WrapperList, wrapperState, type WrapperState } from './WrapperList.tsx'

/** Which wrappers can be used, and the first of these. */
type More = { states: ReadonlyMap<string, WrapperState>; usable: WrapperEntry | undefined }

/** /project/{ref}/integrations/wrappers: other servers whose tables are read from here. */
export const wrappers: Resource<Server, More, Output<typeof databaseServer.foreign>> = {
  title: 'Wrappers',
  help: 'Query tables of other servers as if they were in this database.',
  label: 'Servers',
  icon: Plug,
  within: 'database',
  find: { label: 'Find a server', name: 'q' },
  query: foreignQuery,
  rowsOf: ({ servers }) => servers,
  useMore: useWrappers,
  keyOf: ({ id }) => String(id),
  narrow: byText(({ name }) => name),
  columns: serverColumns,
  empty: (place) =>
    place.text ? (
      noneFound(place, 'No server found', `No name contains “${place.search['q']}”.`)
    ) : (
      <EmptyState icon={Plug} title="No server yet">
        {place.more.usable
          ? 'Add one below: its location, its login and its tables.'
          : 'None of the wrappers below is enabled in this database.'}
      </EmptyState>
    ),
  needs: migrations.change,
  refusal: ({ usable }) => (usable ? undefined : 'No wrapper is enabled'),
  forgets: [databaseServer.foreign, databaseObjects.extensions, databaseObjects.foreignTables],
  create: {
    label: 'Add server',
    panel: (place) => place.more.usable && serverForm(place, place.more.usable),
  },
  below: (place) => (
    <div className="sections page-tail">
      <WrapperList
        states={place.more.states}
        why={place.why(migrations.change)}
        onAdd={(wrapper) => place.open((now) => serverForm(now, wrapper))}
        ask={place.ask}
      />
    </div>
  ),
}

function useWrappers(projectRef: string): More {
  const { data: foreign } = useQuery(foreignQuery(projectRef))
  const { data: extensions = [] } = useQuery(extensionsQuery(projectRef))
  const states = new Map(
    postgresWrappers.map(({ name }) => [
      name,
      wrapperState(name, foreign?.wrappers ?? [], extensions),
    ]),
  )
  return { states, usable: postgresWrappers.find(({ name }) => states.get(name)?.kind === 'ready') }
}

const serverForm = ({ projectRef, close }: Place<Server, More>, wrapper: WrapperEntry) => (
  <ServerForm {...{ projectRef, wrapper }} onClose={close} />
)

function serverColumns({
  projectRef,
  why,
  open,
  close,
  ask,
}: Place<Server, More>): Column<Server>[] {
  const drop = (one: Server) =>
    ask({
      change: dropServer(one, one.tables.length + one.mappings.length > 0),
      title: `Delete ${one.name}`,
      verb: 'Delete server',
      danger: true,
      typeName: one.name,
      done: `${one.name} is deleted`,
      onDone: close,
      children: (
        <p>
          {one.mappings.length} logins and {one.tables.length} foreign tables of it are deleted too.
          The rows are on the remote server and stay there.
        </p>
      ),
    })
  const dropTable = (table: { schema: string; name: string }) =>
    ask({
      change: dropForeignTable(table),
      title: `Delete ${table.name}`,
      verb: 'Delete foreign table',
      danger: true,
      done: `${table.name} is deleted`,
      children: <p>Its rows are on the remote server and stay there.</p>,
    })
  // The panel goes on while logins and tables come and go in it.
  const show = (shown: Server) =>
    open(({ rows = [] }) => {
      const server = rows.find(({ id }) => id === shown.id)
      return (
        server && (
          <ServerPanel
            projectRef={projectRef}
            server={server}
            why={why(migrations.change)}
            onDrop={() => drop(server)}
            onDropTable={dropTable}
            onClose={close}
          />
        )
      )
    })
  return [
    nameColumn({ onOpen: show }),
    codeColumn('Wrapper', ({ wrapper }) => wrapper),
    {
      id: 'where',
      head: 'Where',
      wideOnly: true,
      cell: ({ options }) => (
        <span className="mono ell">
          {[options['host'], options['dbname']].filter(Boolean).join(' / ')}
        </span>
      ),
    },
    {
      id: 'logins',
      head: 'Logins',
      numeric: true,
      width: '90px',
      cell: ({ mappings }) => mappings.length,
    },
    {
      id: 'tables',
      head: 'Tables',
      numeric: true,
      width: '90px',
      sortBy: ({ tables }) => tables.length,
      cell: ({ tables }) => tables.length,
    },
  ]
}

type Props = { projectRef: string; wrapper: WrapperEntry; onClose: () => void }

/** Where the other server is. Its login comes next, apart, for that is a secret. */
function ServerForm({ projectRef, wrapper, onClose }: Props) {
  const [name, setName] = useState('')
  const [options, setOptions] = useState<Record<string, string>>({})
  const server = name.trim()
  const requested = wrapper.serverOptions ?? []
  const ready = server !== '' && isComplete(requested, options)
  return (
    <ObjectForm
      projectRef={projectRef}
      size="medium"
      title={`New ${wrapper.label} server`}
      review="Review"
      asked={
        ready
          ? {
              change: createServer({ name: server, wrapper: wrapper.name, options }),
              title: `Add ${server}`,
              verb: 'Add server',
              done: `${server} is added`,
            }
          : undefined
      }
      forgets={[databaseServer.foreign]}
      onClose={onClose}
    >
      {() => (
        <>
          <p className="muted">{wrapper.about}</p>
          <TextField
            label="Name"
            mono
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the panel was opened to name a server
            autoFocus
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <OptionFields options={requested} values={options} onChange={setOptions} />
        </>
      )}
    </ObjectForm>
  )
}
