import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { auditActor, auditWords } from './audit-words.ts'
import { auditQuery } from './queries.ts'

/** What a user did and what was done to them, as far back as the plan goes. */
export function UserLogs({ projectRef, id }: { projectRef: string; id: string }) {
  const query = useInfiniteQuery(auditQuery(projectRef, { user: id }))
  const entries = query.data?.pages.flatMap((page) => page.entries)
  if (query.error && !entries)
    return <ErrorNote what="logs" error={query.error} onRetry={() => void query.refetch()} />
  if (!entries) return <Skeleton width="80%" />
  if (entries.length === 0)
    return (
      <EmptyState icon={ScrollText} title="No entries yet">
        Actions of this user appear here.
      </EmptyState>
    )
  return (
    <>
      <ul className="users-lines">
        {entries.map((entry) => (
          <li key={entry.id}>
            <span className="grow users-session">
              <span>{auditWords(entry)}</span>
              <span className="faint t12">
                {auditActor(entry)}
                {entry.ip_address && `, ${entry.ip_address}`}
              </span>
            </span>
            <span className="faint t12">{exactTime(new Date(entry.created_at))}</span>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      )}
    </>
  )
}
