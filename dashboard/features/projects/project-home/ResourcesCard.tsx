import { useQuery } from '@tanstack/react-query'
import { computeSizes } from '#contract/projects/compute-sizes'
import type { Project } from '#contract/projects/projects'
import { Badge } from '../../../ui/text/Badge.tsx'
import { bytesText } from '../../../ui/text/number.ts'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { diskQuery } from '../../../session/project/disk.ts'
import { overviewQuery } from './queries.ts'

type Bar = { name: string; used: number; max: number | undefined; text: string }

/** What the database uses of what it has. */
export function ResourcesCard({ project }: { project: Project }) {
  const { data, error, refetch } = useQuery(overviewQuery(project.ref))
  const hosted = project.cloud_provider !== 'localhost'
  const { data: disk } = useQuery({ ...diskQuery(project.ref), enabled: hosted })
  // Of a database that its operator runs nobody knows how big its disk is.
  const limit = disk?.limit_bytes ?? undefined
  const used = disk?.measured_at ? disk.database_bytes : undefined
  const bars: Bar[] | undefined = data && [
    {
      name: 'Database size',
      used: used ?? data.bytes,
      max: limit,
      text: bytesText(used ?? data.bytes) + (limit === undefined ? '' : ` of ${bytesText(limit)}`),
    },
    {
      name: 'Connections',
      used: data.connections,
      max: data.max_connections,
      text: `${data.connections} of ${data.max_connections}`,
    },
  ]
  return (
    <Card
      title="Resources"
      padded={false}
      end={hosted && <Badge>{computeSizes[project.infra_compute_size].label}</Badge>}
    >
      {error && !data ? (
        <ErrorNote what="figures of the database" error={error} onRetry={() => void refetch()} />
      ) : (
        <dl className="resources">
          {bars ? bars.map((bar) => <Line key={bar.name} {...bar} />) : <Waiting />}
          {data && (
            <div>
              <dt>Running since</dt>
              <dd />
              <dd>
                <Time at={data.started_at} />
              </dd>
            </div>
          )}
        </dl>
      )}
    </Card>
  )
}

function Line({ name, used, max, text }: Bar) {
  const percent = max ? (used / max) * 100 : 0
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {max !== undefined && (
          <Meter
            percent={percent}
            label={name}
            tone={percent > 95 ? 'danger' : percent > 80 ? 'warning' : 'neutral'}
          />
        )}
      </dd>
      <dd>{text}</dd>
    </div>
  )
}

const Waiting = () =>
  ['Database size', 'Connections', 'Running since'].map((name) => (
    <div key={name}>
      <dt>{name}</dt>
      <dd />
      <dd>
        <Skeleton width="72px" />
      </dd>
    </div>
  ))
