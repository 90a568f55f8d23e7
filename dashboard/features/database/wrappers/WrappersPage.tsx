import { useQuery } from '@tanstack/react-query'
import { Plus, Plug } from 'lucide-react'
import { useState } from 'react'
import { databaseObjects } from '#contract/database/database-objects'
import { databaseServer, type Server } from '#contract/database/database-server'
import { dropForeignTable, dropServer } from '#contract/ddl/foreign-data'
import { migrations } from '#contract/database/migrations'
import { postgresWrappers, type WrapperEntry } from '#contract/database/wrappers'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { foreignQuery, extensionsQuery } from './queries.ts'
import { ServerCreatePanel } from './ServerCreatePanel.tsx'
import { serverColumns } from './server-columns.tsx'
import { ServerPanel } from './ServerPanel.tsx'
import { WrapperList } from './WrapperList.tsx'
import { wrapperState } from './wrapper-state.ts'
import '../../../ui/lists/list-page.css'

type Props = { projectRef: string; search: string; onSearch: (search: string) => void }

/** /project/{ref}/database/wrappers: other servers whose tables are read from here. */
export function WrappersPage({ projectRef, search, onSearch }: Props) {
  const query = useQuery(foreignQuery(projectRef))
  const extensions = useQuery(extensionsQuery(projectRef))
  const [creating, setCreating] = useState<WrapperEntry>()
  const [open, setOpen] = useState<number>()
  const { ask, dialog } = useReview(
    projectRef,
    databaseServer.foreign,
    databaseObjects.extensions,
    databaseObjects.foreignTables,
  )
  const why = useDenials(useProject(projectRef))(migrations.change)
  const { wrappers = [], servers } = query.data ?? {}
  const states = new Map(
    postgresWrappers.map(({ name }) => [name, wrapperState(name, wrappers, extensions.data ?? [])]),
  )
  const usable = postgresWrappers.find(({ name }) => states.get(name)?.kind === 'ready')
  const words = search.toLowerCase()
  const server = servers?.find(({ id }) => id === open)
  const drop = (one: Server) =>
    ask({
      change: dropServer(one, one.tables.length + one.mappings.length > 0),
      title: `Delete ${one.name}`,
      verb: 'Delete server',
      danger: true,
      typeName: one.name,
      done: `${one.name} is deleted`,
      onDone: () => setOpen(undefined),
      children: (
        <p>
          {one.mappings.length} logins and {one.tables.length} foreign tables of it are deleted too.
          The rows are on the remote server and stay there.
        </p>
      ),
    })
  return (
    <Page>
      <PageHead
        title="Wrappers"
        help="Query tables of other servers as if they were in this database."
        actions={
          servers &&
          servers.length > 0 && (
            <>
              <SearchField label="Find a server" value={search} onChange={onSearch} />
              <Button
                variant="primary"
                icon={Plus}
                disabledReason={why ?? (usable ? undefined : 'No wrapper is enabled')}
                onClick={() => setCreating(usable)}
              >
                Add server
              </Button>
            </>
          )
        }
      />
      <div className="sections">
        <div className="card">
          <Table
            label="Servers"
            columns={serverColumns(({ id }) => setOpen(id))}
            rows={servers?.filter(({ name }) => name.toLowerCase().includes(words))}
            keyOf={({ id }) => String(id)}
            error={query.error}
            onRetry={() => void query.refetch()}
            empty={
              <EmptyState
                icon={Plug}
                title={search ? 'No server found' : 'No server yet'}
                action={search ? <Button onClick={() => onSearch('')}>Show all</Button> : undefined}
              >
                {search
                  ? `No name contains “${search}”.`
                  : usable
                    ? 'Add one below: its location, its login and its tables.'
                    : 'None of the wrappers below is enabled in this database.'}
              </EmptyState>
            }
          />
        </div>
        <WrapperList
          projectRef={projectRef}
          states={states}
          why={why}
          onAdd={setCreating}
          ask={ask}
        />
      </div>
      {creating && (
        <ServerCreatePanel
          projectRef={projectRef}
          wrapper={creating}
          onClose={() => setCreating(undefined)}
        />
      )}
      {server && (
        <ServerPanel
          projectRef={projectRef}
          server={server}
          why={why}
          onDrop={() => drop(server)}
          onDropTable={(table) =>
            ask({
              change: dropForeignTable(table),
              title: `Delete ${table.name}`,
              verb: 'Delete foreign table',
              danger: true,
              done: `${table.name} is deleted`,
              children: <p>Its rows are on the remote server and stay there.</p>,
            })
          }
          onClose={() => setOpen(undefined)}
        />
      )}
      {dialog}
    </Page>
  )
}
