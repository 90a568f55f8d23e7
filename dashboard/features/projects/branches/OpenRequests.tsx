import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { requestsQuery } from './queries.ts'

/** Requests that wait to be merged; each leads to its branch. */
export function OpenRequests({ projectRef }: { projectRef: string }) {
  const { data, error, refetch } = useQuery(requestsQuery(projectRef))
  const open = data?.requests.filter(({ state }) => state === 'open') ?? []
  if (error && !data)
    return <ErrorNote what="Requests to merge" error={error} onRetry={() => void refetch()} />
  if (open.length === 0) return null
  return (
    <Card title="Requests to merge" padded={false}>
      <ul className="branch-list">
        {open.map(({ id, branch_id, branch_name, title, author, created_at }) => (
          <li key={id} className="branch-setting">
            <span className="grow">
              <Link to="/project/$ref/branches/$id" params={{ ref: projectRef, id: branch_id }}>
                {title}
              </Link>{' '}
              <span className="mono muted">{branch_name}</span>
            </span>
            <span className="muted t12">
              {author.email ?? 'A former member'} <Ago at={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
