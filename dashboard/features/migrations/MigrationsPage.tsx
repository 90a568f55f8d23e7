import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import type { Migration } from '#contract/migrations'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { MigrationPanel } from './MigrationPanel.tsx'
import { momentOf } from './moment-of.ts'
import { migrationsQuery } from './queries.ts'

/** /project/{ref}/database/migrations: what has been changed about the structure, in order. */
export function MigrationsPage({ projectRef }: { projectRef: string }) {
  const query = useInfiniteQuery(migrationsQuery(projectRef))
  const [open, setOpen] = useState<Migration>()
  const rows = query.data?.pages.flat()
  return (
    <Page>
      <PageHead
        title="Migrations"
        help="Every change of the structure made here or by a migration tool, with the SQL that made it."
      />
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
                  <span className="mono">{migration.name ?? 'Without a name'}</span>
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
            <EmptyState icon={History} title="No migrations yet">
              Changes that are made in this dashboard or by a migration tool are listed here.
            </EmptyState>
          }
        />
      </div>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      )}
      <MigrationPanel migration={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}
