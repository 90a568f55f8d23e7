import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, RadioTower } from 'lucide-react'
import { useState } from 'react'
import type { Publication } from '#contract/database/database-object-shapes'
import { databaseObjects } from '#contract/database/database-objects'
import { publishedOperations } from '#contract/ddl/publications'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { CreatePublicationPanel } from './CreatePublicationPanel.tsx'
import { OperationSwitch } from './OperationSwitch.tsx'
import { extentOf } from './publication-there.ts'
import { PublicationMenu } from './PublicationMenu.tsx'
import { publicationsQuery } from './queries.ts'
import { usePublicationReasons } from './use-publication-reason.ts'
import '../../../ui/lists/list-page.css'

type Props = { projectRef: string; search: string; onSearch: (search: string) => void }

/** /project/{ref}/database/publications */
export function PublicationsPage({ projectRef, search, onSearch }: Props) {
  const query = useQuery(publicationsQuery(projectRef))
  const [creating, setCreating] = useState(false)
  const { ask, dialog } = useReview(projectRef, databaseObjects.publications)
  const reasons = usePublicationReasons(projectRef)
  const words = search.toLowerCase()
  const none = query.data?.length === 0
  const create = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={reasons.create}
      onClick={() => setCreating(true)}
    >
      Create publication
    </Button>
  )
  const columns: Column<Publication>[] = [
    {
      id: 'name',
      head: 'Name',
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link
          className="mono link"
          to="/project/$ref/database/publications/$id"
          params={{ ref: projectRef, id: String(id) }}
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'tables',
      head: 'Publishes',
      sortBy: ({ tables }) => tables?.length ?? Number.MAX_SAFE_INTEGER,
      cell: extentOf,
    },
    {
      id: 'owner',
      head: 'Owner',
      wideOnly: true,
      cell: ({ owner }) => <span className="mono">{owner}</span>,
    },
    ...publishedOperations.map((operation): Column<Publication> => ({
      id: operation,
      head: operation.charAt(0).toUpperCase() + operation.slice(1),
      width: '84px',
      cell: (publication) => (
        <OperationSwitch
          publication={publication}
          operation={operation}
          why={reasons.change(publication)}
          ask={ask}
        />
      ),
    })),
    {
      id: 'acts',
      head: 'Actions',
      hideHead: true,
      width: '44px',
      cell: (publication) => (
        <PublicationMenu publication={publication} why={reasons.change(publication)} ask={ask} />
      ),
    },
  ]
  return (
    <Page>
      <PageHead
        title="Publications"
        help="Choose which table changes subscribers can follow. supabase_realtime feeds the project's own subscriptions."
        actions={
          !none && (
            <>
              <SearchField label="Find a publication" value={search} onChange={onSearch} />
              {create}
            </>
          )
        }
      />
      <div className="card">
        <Table
          label="Publications"
          columns={columns}
          rows={query.data?.filter(({ name }) => name.toLowerCase().includes(words))}
          keyOf={({ id }) => String(id)}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            none ? (
              <EmptyState icon={RadioTower} title="No publication yet" action={create}>
                A publication lets another database, or a program, follow changes as they happen.
              </EmptyState>
            ) : (
              <EmptyState
                icon={RadioTower}
                title="No publication found"
                action={<Button onClick={() => onSearch('')}>Show all</Button>}
              >
                No name contains “{search}”.
              </EmptyState>
            )
          }
        />
      </div>
      {creating && (
        <CreatePublicationPanel
          projectRef={projectRef}
          allTablesReason={reasons.allTables}
          onClose={() => setCreating(false)}
        />
      )}
      {dialog}
    </Page>
  )
}
