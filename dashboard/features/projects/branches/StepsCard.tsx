import { useQuery } from '@tanstack/react-query'
import type { Branch } from '#contract/projects/branches'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { stepsQuery } from './queries.ts'

/** What each job on a branch did, the newest first. */
export function StepsCard({ branch }: { branch: Branch }) {
  const query = useQuery({
    ...stepsQuery(branch),
    refetchInterval: branch.busy ? 1500 : false,
  })
  const steps = query.data?.steps
  return (
    <Card title="Log" padded={false}>
      {query.error && !steps && (
        <ErrorNote what="The log" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!steps && !query.error && (
        <p className="branch-none">
          <Skeleton width="60%" />
        </p>
      )}
      {steps?.length === 0 && <p className="branch-none muted">Nothing was done yet.</p>}
      <ul className="branch-list">
        {steps?.map(({ at, failed, message }) => (
          <li key={`${at} ${message}`} className="row">
            <span className="grow">
              {failed ? <Status tone="danger">{message}</Status> : message}
            </span>
            <span className="muted t12">
              <Ago at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
