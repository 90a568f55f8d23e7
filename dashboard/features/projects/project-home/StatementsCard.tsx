import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Timer } from 'lucide-react'
import type { SlowStatement } from '#contract/projects/project-overview'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { highlight } from '../../../ui/text/CodeBlock.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { numberText, percentText, timeText } from '../../../ui/text/number.ts'
import { overviewQuery } from './queries.ts'

const page = '/project/$ref/advisors/query-performance'

/** The statements that took most of the database's time, as pg_stat_statements counts them. */
export function StatementsCard({ projectRef }: { projectRef: string }) {
  const has = useHasRoute()
  const { data, error, refetch } = useQuery(overviewQuery(projectRef))
  return (
    <Card
      title="Slowest queries"
      padded={false}
      end={
        has(page) && (
          <Link className="link t12" to={page.replace('$ref', projectRef)}>
            Query performance
          </Link>
        )
      }
    >
      <Table
        label="Slowest queries"
        columns={columns}
        rows={data && (data.statements ?? [])}
        keyOf={({ query }) => query}
        error={error}
        onRetry={() => void refetch()}
        rowHeight={32}
        empty={
          <EmptyState
            icon={Timer}
            title={data?.statements ? 'No queries yet' : 'Queries are not counted'}
          >
            {data?.statements
              ? 'Queries from your app and the SQL editor appear here as they run.'
              : 'The pg_stat_statements extension counts queries, but it is not installed in this database.'}
          </EmptyState>
        }
      />
    </Card>
  )
}

const columns: Column<SlowStatement>[] = [
  {
    id: 'query',
    head: 'Query',
    width: '100%',
    cell: ({ query }) => (
      <code className="statement ell code" title={query}>
        {highlight(query.replace(/\s+/g, ' ').trim(), 'sql').map(({ text, kind, at }) => (
          <span key={at} className={kind}>
            {text}
          </span>
        ))}
      </code>
    ),
  },
  {
    id: 'calls',
    head: 'Calls',
    numeric: true,
    wideOnly: true,
    cell: ({ calls }) => numberText(calls),
  },
  { id: 'mean', head: 'Mean', numeric: true, cell: ({ mean_ms }) => timeText(mean_ms) },
  {
    id: 'share',
    head: 'Share of time',
    numeric: true,
    wideOnly: true,
    cell: ({ share }) => (
      <span className="share">
        <Meter percent={share * 100} label="Share of time" />
        {percentText(share)}
      </span>
    ),
  },
]
