import { useQuery } from '@tanstack/react-query'
import { Radio } from 'lucide-react'
import { databaseObjects } from '#contract/database/database-objects'
import { createPublication, publishedOperations } from '#contract/ddl/publications'
import { publicationsQuery } from '../../../modules/objects/lists.ts'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { PublicationPage, type TableFilter } from './PublicationPage.tsx'
import { usePublicationReasons } from './publication-parts.tsx'

/** What the realtime service reads. */
const name = 'supabase_realtime'

type Props = {
  projectRef: string
  filter: TableFilter
  onFilter: (filter: TableFilter) => void
}

/** /project/{ref}/realtime/tables: which tables tell clients of their changes. */
export function ChangesPage({ projectRef, filter, onFilter }: Props) {
  const { data, error, refetch } = useQuery(publicationsQuery(projectRef))
  const { ask, dialog } = useReview(projectRef, databaseObjects.publications)
  const { create: denied } = usePublicationReasons(projectRef)
  const found = data?.find((publication) => publication.name === name)
  if (found) {
    return (
      <PublicationPage
        projectRef={projectRef}
        id={found.id}
        title="Tables"
        help="Listening clients receive changes in published tables, for rows that policies let them see."
        filter={filter}
        onFilter={onFilter}
        onDeleted={() => refetch()}
      />
    )
  }
  return (
    <Page>
      <PageHead title="Tables" />
      {error && <ErrorNote what="Publications" error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className="card">
          <EmptyState
            icon={Radio}
            title="Table changes are not published"
            action={
              <Button
                disabledReason={denied}
                onClick={() =>
                  ask({
                    change: createPublication({
                      name,
                      operations: [...publishedOperations],
                      tables: [],
                    }),
                    title: 'Create the publication',
                    verb: 'Create publication',
                    done: `${name} is created`,
                  })
                }
              >
                Create the publication
              </Button>
            }
          >
            The publication {name} was deleted. Without it, clients receive no changes.
          </EmptyState>
        </div>
      )}
      {dialog}
    </Page>
  )
}
