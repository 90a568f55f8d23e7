import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CheckCheck, Ellipsis, FileUp, History, SearchX } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { migrationTools } from '#contract/database/migration-tools'
import type { Migration } from '#contract/database/migrations'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ApplyPanel } from './ApplyPanel.tsx'
import { readFileName, momentOf } from './migration-files.ts'
import { ofMigrations, migrationsQuery, driftQuery } from './queries.ts'
import { MigrationPanel } from './MigrationPanel.tsx'
import { DriftPanel } from './DriftPanel.tsx'
import './migrations.css'

/** /project/{ref}/database/migrations: what has been changed about the structure, in order. */
export function MigrationsPage({ projectRef }: { projectRef: string }) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const query = useInfiniteQuery(migrationsQuery(projectRef, search))
  const [open, setOpen] = useState<Migration>()
  const [tool, setTool] = useState<'apply' | 'mark'>()
  const why = useDenials(useProject(projectRef))
  const apply = (
    <Button
      icon={FileUp}
      disabledReason={why(migrationTools.apply)}
      onClick={() => setTool('apply')}
    >
      Apply files
    </Button>
  )
  const rows = query.data?.pages.flat()
  return (
    <Page>
      <PageHead
        title="Migrations"
        help="Every schema change made here or by a migration tool, with its SQL."
        actions={
          <>
            <SearchField label="Find a migration" value={typed} onChange={setTyped} />
            <Menu
              label="More"
              align="end"
              trigger={<IconButton icon={Ellipsis} label="More" variant="secondary" />}
            >
              <MenuItem
                icon={CheckCheck}
                disabledReason={why(migrationTools.mark)}
                onSelect={() => setTool('mark')}
              >
                Mark as applied
              </MenuItem>
            </Menu>
            {apply}
          </>
        }
      />
      <div className="migrations-note">
        <DriftNote projectRef={projectRef} />
      </div>
      <div className="card">
        <Table
          label="Migrations"
          columns={[
            {
              id: 'version',
              head: 'Version',
              width: '160px',
              cell: ({ version }: Migration) => <span className="mono">{version}</span>,
            },
            {
              id: 'name',
              head: 'Name',
              cell: (migration) => (
                <Button variant="ghost" onClick={() => setOpen(migration)}>
                  <span className="mono">{migration.name ?? 'Unnamed'}</span>
                </Button>
              ),
            },
            {
              id: 'by',
              head: 'By',
              wideOnly: true,
              cell: ({ created_by }) => created_by ?? <span className="faint">Unknown</span>,
            },
            {
              id: 'at',
              head: 'When',
              wideOnly: true,
              cell: ({ version }) => {
                const at = momentOf(version)
                return at ? <Time at={at} /> : <span className="faint">Unknown</span>
              },
            },
          ]}
          rows={rows}
          keyOf={({ version }) => version}
          error={query.error}
          onRetry={() => void query.refetch()}
          // The server's pages follow one another; there is nothing to leaf through here.
          pageSize={Number.MAX_SAFE_INTEGER}
          empty={
            search ? (
              <EmptyState icon={SearchX} title="No migration matches">
                No version, name or SQL contains “{search}”.
              </EmptyState>
            ) : (
              <EmptyState
                icon={History}
                title="No migrations yet"
                action={
                  <div className="migrations-cli">
                    <CodeBlock code={commands} language="text" what="commands" />
                  </div>
                }
              >
                Changes that you make in this dashboard or with the command line appear here:
              </EmptyState>
            )
          }
        />
      </div>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      )}
      {open && (
        <MigrationPanel
          projectRef={projectRef}
          migration={open}
          onClose={() => setOpen(undefined)}
        />
      )}
      {tool === 'apply' && (
        <ApplyPanel projectRef={projectRef} onClose={() => setTool(undefined)} />
      )}
      {tool === 'mark' && <MarkDialog projectRef={projectRef} onClose={() => setTool(undefined)} />}
    </Page>
  )
}

const commands = 'supabase migration new create_books\nsupabase db push'

/** Says so when the structure is not what the recorded changes have left. */
function DriftNote({ projectRef }: { projectRef: string }) {
  const { data: drift, error, refetch } = useQuery(driftQuery(projectRef))
  const [open, setOpen] = useState(false)
  if (error)
    return (
      <Alert
        variant="warning"
        title="Changes outside of migrations could not be checked"
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {error.message}
      </Alert>
    )
  if (!drift || drift.total === 0) return null
  const things = drift.total === 1 ? '1 thing was' : `${drift.total} things were`
  return (
    <>
      <Alert
        variant="warning"
        title={`${things} changed outside of migrations`}
        action={<Button onClick={() => setOpen(true)}>Show</Button>}
      >
        Running the migrations elsewhere gives a different structure.
      </Alert>
      {open && <DriftPanel projectRef={projectRef} drift={drift} onClose={() => setOpen(false)} />}
    </>
  )
}

type Props = { projectRef: string; onClose: () => void }

/** Records a migration whose change was made by hand. */
function MarkDialog({ projectRef, onClose }: Props) {
  const [file, setFile] = useState('')
  const mark = useDatabaseCall(migrationTools.mark, {
    changes: ofMigrations,
    onSuccess: ({ version }) => {
      toast.success(`${version} is marked as applied`)
      onClose()
    },
  })
  const read = readFileName(file) ?? readFileName(`${file.trim()}.sql`)
  return (
    <FormDialog
      title="Mark as applied"
      verb="Mark as applied"
      error={mark.error?.message}
      disabled={!read}
      pending={mark.isPending}
      onSubmit={() => read && mark.mutate({ ref: projectRef, ...read, as: 'applied' })}
      onClose={onClose}
    >
      <TextField
        label="Version or file name"
        mono
        autoComplete="off"
        placeholder="20260131235959_add_books.sql"
        help="This only adds the record and runs nothing. Migration tools will no longer run this version."
        value={file}
        onChange={({ target }) => setFile(target.value)}
      />
    </FormDialog>
  )
}
