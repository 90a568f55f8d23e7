import type { Statement } from '#contract/observability/query-performance'
import type { Column } from '../../../ui/lists/Table.tsx'
import { count, duration, oneLine, percent } from './figures.ts'

export const statementColumns = (onOpen: (statement: Statement) => void): Column<Statement>[] => [
  {
    id: 'query',
    head: 'Statement',
    cell: (statement) =>
      statement.queryid === null ? (
        <span className="faint">Not shown to Read-only members</span>
      ) : (
        <button
          type="button"
          className="statement-text mono ell"
          title={statement.query.slice(0, 500)}
          onClick={() => onOpen(statement)}
        >
          {oneLine(statement.query)}
        </button>
      ),
  },
  {
    id: 'role',
    head: 'Role',
    width: '120px',
    wideOnly: true,
    sortBy: ({ role }) => role,
    cell: ({ role }) => <span className="mono muted ell statement-role">{role}</span>,
  },
  {
    id: 'calls',
    head: 'Calls',
    width: '88px',
    numeric: true,
    wideOnly: true,
    sortBy: ({ calls }) => calls,
    cell: ({ calls }) => count(calls),
  },
  {
    id: 'total_time',
    head: 'Total time',
    width: '136px',
    numeric: true,
    sortBy: ({ total_time }) => total_time,
    cell: ({ total_time, share }) => (
      <span className="statement-total" title={`${percent(share)} of the time of all statements`}>
        <span>{duration(total_time)}</span>
        <span className="share" style={{ '--share': `${share * 100}%` }} />
      </span>
    ),
  },
  {
    id: 'mean_time',
    head: 'Mean',
    width: '92px',
    numeric: true,
    wideOnly: true,
    sortBy: ({ mean_time }) => mean_time,
    cell: ({ mean_time }) => duration(mean_time),
  },
  {
    id: 'max_time',
    head: 'Slowest',
    width: '92px',
    numeric: true,
    wideOnly: true,
    sortBy: ({ max_time }) => max_time,
    cell: ({ max_time }) => duration(max_time),
  },
  {
    id: 'rows',
    head: 'Rows',
    width: '88px',
    numeric: true,
    wideOnly: true,
    sortBy: ({ rows }) => rows,
    cell: ({ rows }) => count(rows),
  },
  {
    id: 'cache_hit',
    head: 'Cache hit',
    width: '84px',
    numeric: true,
    wideOnly: true,
    sortBy: ({ cache_hit }) => cache_hit,
    cell: ({ cache_hit }) =>
      cache_hit === null ? <span className="faint">–</span> : percent(cache_hit),
  },
]
