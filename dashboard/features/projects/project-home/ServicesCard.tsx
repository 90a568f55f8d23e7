import { useQuery } from '@tanstack/react-query'
import {
  projectServices,
  type ProjectService,
  type ServiceState,
  type ServiceUsage,
  type UsageRange,
} from '#contract/projects/project-home'
import { rangeWords } from '../../../session/organization/usage-range.ts'
import { Card } from '../../../ui/Card.tsx'
import { cx } from '../../../ui/cx.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { numberText, percentText, timeText } from '../../../ui/text/number.ts'
import { servicesQuery, usageQuery } from './queries.ts'

const names: Record<ProjectService, string> = {
  db: 'Database',
  rest: 'Data API',
  graphql: 'GraphQL',
  auth: 'Auth',
  storage: 'Storage',
  realtime: 'Realtime',
  functions: 'Edge functions',
}

type Row = {
  name: ProjectService
  /** How it answers is not known yet. */
  isAsked: boolean
  state: ServiceState | undefined
  usage: ServiceUsage | undefined
}

/** The services that run for this project: how each answers now, and what it was asked. */
export function ServicesCard({ projectRef, range }: { projectRef: string; range: UsageRange }) {
  const states = useQuery(servicesQuery(projectRef))
  const usage = useQuery(usageQuery(projectRef, range))
  // Which services there are is known before any has answered: the list has its length from the first.
  const rows = projectServices.map((name): Row => ({
    name,
    isAsked: states.isPending,
    state: states.data?.find((state) => state.name === name),
    usage: usage.data?.services.find((service) => service.name === name),
  }))
  return (
    <Card
      title="Services"
      padded={false}
      end={
        <span className="row t12 muted legend">
          <span className="st">
            <i className="key" />
            Requests
          </span>
          <span className="st">
            <i className="key e" />
            Errors
          </span>
        </span>
      }
    >
      <div className="services">
        <Table
          label="Services"
          columns={columns(range)}
          rows={states.error && !states.data ? undefined : rows}
          keyOf={({ name }) => name}
          error={states.error}
          onRetry={() => void states.refetch()}
          rowHeight={60}
          empty={null}
        />
      </div>
    </Card>
  )
}

const columns = (range: UsageRange): Column<Row>[] => [
  {
    id: 'service',
    head: 'Service',
    cell: ({ name, isAsked, state }) => (
      <span className="stack-tight">
        <Status tone={isAsked ? 'off' : state?.healthy ? 'success' : 'danger'}>
          {names[name]}
          {!isAsked && (
            <span className="sr">{state?.healthy ? ' is healthy' : ' does not work'}</span>
          )}
        </Status>
        <span className={cx('t12', state?.error ? 'tone-danger' : 'faint')}>
          {isAsked ? (
            <Skeleton width={84} />
          ) : (
            (state?.error ??
            (state?.latency_ms == null ? '' : `answers in ${timeText(state.latency_ms)}`))
          )}
        </span>
      </span>
    ),
  },
  {
    id: 'bars',
    head: rangeWords[range],
    width: '40%',
    wideOnly: true,
    cell: ({ name, usage }) =>
      usage ? (
        <Bars
          bars={usage.bars}
          label={`${names[name]}: ${usage.requests} requests, ${usage.errors} errors`}
        />
      ) : null,
  },
  {
    id: 'requests',
    head: 'Requests',
    width: '92px',
    numeric: true,
    cell: ({ usage }) => figure(usage && numberText(usage.requests)),
  },
  {
    id: 'errors',
    head: 'Errors',
    width: '72px',
    numeric: true,
    cell: ({ usage }) => {
      if (!usage) return figure(undefined)
      const share = usage.requests === 0 ? 0 : usage.errors / usage.requests
      return <span className={share > 0.01 ? 'tone-warning' : 'faint'}>{percentText(share)}</span>
    },
  },
  {
    id: 'p95',
    head: 'p95',
    width: '84px',
    numeric: true,
    wideOnly: true,
    cell: ({ usage }) => figure(usage?.p95_ms == null ? undefined : timeText(usage.p95_ms)),
  },
]

/** What is not counted (a database has no requests) or not there yet. */
const figure = (text: string | undefined) => text ?? <span className="faint">-</span>

type Bar = { requests: number; errors: number }

const width = 300
const height = 32

/** Requests over time as bars, errors on top of them in their colour. */
function Bars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const max = Math.max(1, ...bars.map(({ requests }) => requests))
  const step = width / bars.length
  const high = (n: number) => (n === 0 ? 0 : Math.max(2, (n / max) * (height - 2)))
  return (
    <svg
      className="bars"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing of its own, not a file
      role="img"
      aria-label={label}
    >
      {bars.map(({ requests, errors }, at) => {
        const place = { x: at * step + step * 0.15, width: step * 0.7 }
        const [whole, bad] = [high(requests), Math.min(high(errors), high(requests))]
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a bar is its place
          <g key={at}>
            <rect {...place} className="b" y={height - 1} height={1} />
            {whole > 0 && <rect {...place} y={height - whole} height={whole} />}
            {bad > 0 && <rect {...place} className="e" y={height - whole} height={bad} />}
          </g>
        )
      })}
    </svg>
  )
}
