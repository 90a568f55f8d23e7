import { useQuery } from '@tanstack/react-query'
import { bytesText } from '../../../ui/text/bytes.ts'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { monthQuery, usageQuery } from './queries.ts'

/** What the project's storage takes and gives away, beside what the plan includes. */
export function UseCard({ projectRef }: { projectRef: string }) {
  const stored = useQuery(usageQuery(projectRef))
  const { data, error, refetch } = useQuery(monthQuery(projectRef))
  const title = data?.included === null ? 'Usage' : 'Usage of the plan'
  const sum = stored.data?.buckets.reduce((all, { bytes }) => all + bytes, 0)
  const trash = stored.data?.trash.bytes ?? 0
  if (error && !data)
    return (
      <Card title={title}>
        <ErrorNote what="Use" error={error} onRetry={() => void refetch()} />
      </Card>
    )
  const included = data?.included
  const bounds = {
    stored: included?.stored_bytes,
    egress: included?.egress_bytes,
    images: included?.rendered_images,
  }
  return (
    <Card title={title}>
      <dl className="storage-use">
        <Line
          name="Stored"
          used={sum === undefined ? undefined : sum + trash}
          failure={stored.error ? 'Unavailable while the database is down' : undefined}
          most={bounds.stored}
          text={bytesText}
          help={
            trash > 0 ? `${bytesText(trash)} of it is in the trash.` : 'None of it is in the trash.'
          }
        />
        <Line
          name="Egress this month"
          used={data?.egress_bytes}
          most={bounds.egress}
          text={bytesText}
          help="Data sent to clients: downloads of every kind, and rendered images."
        />
        <Line
          name="Images this month"
          used={data?.rendered_images}
          most={bounds.images}
          text={numberText}
          help="Stored images that were rendered. Each counts once a month, in any number of sizes."
        />
      </dl>
      {included && (
        <p className="muted">
          Months begin in UTC. All projects of the organization share what the plan includes.
        </p>
      )}
    </Card>
  )
}

type LineProps = {
  name: string
  used: number | undefined
  /** Null: no bound. Undefined: there are no plans here, or nobody knows yet. */
  most: number | null | undefined
  text: (amount: number) => string
  help: string
  failure?: string | undefined
}

function Line({ name, used, most, text, help, failure }: LineProps) {
  const percent = used !== undefined && most ? (used / most) * 100 : 0
  const bound = most === undefined ? '' : most === null ? ', unlimited' : ` of ${text(most)}`
  return (
    <div>
      <dt>{name}</dt>
      <dd className="storage-use-text">
        {failure ??
          (used === undefined ? (
            <Skeleton width="72px" />
          ) : (
            text(used) + (most === 0 ? ', not included' : bound)
          ))}
      </dd>
      <dd className="storage-use-more">
        {most ? (
          <Meter
            percent={percent}
            label={name}
            tone={percent > 95 ? 'danger' : percent > 80 ? 'warning' : 'neutral'}
          />
        ) : null}
        <span className="muted">{help}</span>
      </dd>
    </div>
  )
}
