import { useInfiniteQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { databasePolicies } from '#contract/database/database-policies'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { channelTableQuery } from './queries.ts'
import { isOfChannels } from './service-templates.ts'
import { TableCard } from './TableCard.tsx'
import '../../../ui/lists/objects.css'
import './policies.css'

/** /project/{ref}/realtime/policies: who may read and write private channels. */
export function ChannelPoliciesPage({ projectRef }: { projectRef: string }) {
  const { data, error, refetch } = useInfiniteQuery(channelTableQuery(projectRef))
  const denied = useDenials(useProject(projectRef))(databasePolicies.create)
  const table = data?.pages.flatMap((page) => page.tables).find(isOfChannels)
  return (
    <Page>
      <PageHead
        title="Policies"
        help="Choose who can read and write private channels. Public channels are open to anyone with a key."
      />
      {table ? (
        <TableCard
          projectRef={projectRef}
          table={table}
          locked={denied}
          none="No policies: only servers with the secret key can join a private channel."
        />
      ) : error ? (
        <ErrorNote what="Policies" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <div className="card">
          <EmptyState icon={MessagesSquare} title="This database has no messages table">
            Private channels need realtime.messages, which databases that were connected from
            elsewhere do not have.
          </EmptyState>
        </div>
      ) : (
        <section className="card policy-table" aria-busy>
          <header>
            <Skeleton width={140} />
          </header>
          <div className="pad">
            <Skeleton width="40%" />
          </div>
        </section>
      )}
    </Page>
  )
}
