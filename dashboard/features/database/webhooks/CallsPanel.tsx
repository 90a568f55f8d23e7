import { useInfiniteQuery } from '@tanstack/react-query'
import { History, RotateCw } from 'lucide-react'
import type { DatabaseTrigger } from '#contract/database/database-triggers'
import type { WebhookCall } from '#contract/database/webhooks'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { outcomeOf } from './call-outcome.ts'
import { callsQuery } from './queries.ts'
import './webhooks.css'

type Props = { projectRef: string; webhook: DatabaseTrigger; onClose: () => void }

/** What a webhook has called, the newest first, and what was answered. */
export function CallsPanel({ projectRef, webhook, onClose }: Props) {
  const query = useInfiniteQuery(callsQuery(projectRef, webhook.table_id, webhook.name))
  const calls = query.data?.pages.flatMap((page) => page.calls)
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={
        <>
          Calls of <span className="mono">{webhook.name}</span>
        </>
      }
    >
      <div className="webhook-calls">
        <div className="webhook-calls-head">
          <p className="help">Newest first. Calls are kept for a week, responses for six hours.</p>
          <Button icon={RotateCw} busy={query.isFetching} onClick={() => void query.refetch()}>
            Refresh
          </Button>
        </div>
        {query.error && (
          <ErrorNote what="Calls" error={query.error} onRetry={() => void query.refetch()} />
        )}
        {!calls && !query.error && <Skeleton width="60%" />}
        {calls?.length === 0 && (
          <EmptyState icon={History} title="No calls yet">
            Each call is listed here as soon as a row of {webhook.table} has made it.
          </EmptyState>
        )}
        {calls && calls.length > 0 && (
          <ol aria-label="Calls">
            {calls.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </ol>
        )}
        {query.hasNextPage && (
          <div className="more">
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older
            </Button>
          </div>
        )}
      </div>
    </SidePanel>
  )
}

function Call({ call }: { call: WebhookCall }) {
  const { tone, word } = outcomeOf(call)
  return (
    <li>
      <div className="row">
        <Badge tone={tone}>{word}</Badge>
        <span className="muted">
          <Time at={call.created_at} />
        </span>
      </div>
      {call.error_msg !== null && <p className="webhook-error">{call.error_msg}</p>}
      {call.content === '' && <p className="help">The response was empty.</p>}
      {call.content && (
        <details>
          <summary>Beginning of the answer</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable */}
          <pre className="code well scroll" tabIndex={0} aria-label="Answer">
            {call.content}
          </pre>
        </details>
      )}
    </li>
  )
}
