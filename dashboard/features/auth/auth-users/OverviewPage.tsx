import { useQuery } from '@tanstack/react-query'
import { RefreshCw, UsersRound } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { authRecords } from '#contract/auth/auth-records'
import type { Output } from '#contract/endpoint'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { daysOf, overviewQuery } from './queries.ts'
import { providerLabel } from './user-words.ts'
import '../../../ui/lists/list-page.css'
import './auth-users.css'

const DayChart = lazy(() => import('./DayChart.tsx').then((m) => ({ default: m.DayChart })))

type Overview = Output<typeof authRecords.overview>
type Props = { projectRef: string; days: string | undefined; onDays: (days: string) => void }

/** /project/{ref}/auth/overview: what the tables of the auth service come to. */
export function OverviewPage({ projectRef, days, onDays }: Props) {
  const range = daysOf(days)
  const query = useQuery(overviewQuery(projectRef, range))
  const { data } = query
  return (
    <Page>
      <PageHead
        title="Overview"
        help="Who uses this project, and how often. Days begin at midnight UTC."
        actions={
          <>
            <Segmented
              label="Range"
              options={[
                { value: '7', label: '7 days' },
                { value: '30', label: '30 days' },
                { value: '90', label: '90 days' },
              ]}
              value={range}
              onChange={onDays}
            />
            <Button icon={RefreshCw} busy={query.isFetching} onClick={() => void query.refetch()}>
              Refresh
            </Button>
          </>
        }
      />
      {query.error && !data ? (
        <ErrorNote what="overview" error={query.error} onRetry={() => void query.refetch()} />
      ) : data ? (
        <Figures projectRef={projectRef} data={data} />
      ) : (
        <div className="figures" aria-busy>
          {['users', 'anonymous', 'sessions', 'banned'].map((name) => (
            <div key={name} className="card">
              <Skeleton width="60%" />
            </div>
          ))}
        </div>
      )}
    </Page>
  )
}

const sum = (days: readonly { count: number }[]) =>
  days.reduce((total, { count }) => total + count, 0)
const amount = ({ count, is_estimate: isEstimate }: Overview['users']) =>
  `${isEstimate ? 'About ' : ''}${numberText(count)}`

function Figures({ projectRef, data }: { projectRef: string; data: Overview }) {
  const messages = sum(data.messages)
  if (data.users.count === 0 && sum(data.sign_ins) === 0 && messages === 0)
    return (
      <EmptyState
        icon={UsersRound}
        title="No users yet"
        action={
          <Link
            className={buttonClass({ variant: 'primary' })}
            to="/project/$ref/auth/users"
            params={{ ref: projectRef }}
          >
            Go to users
          </Link>
        }
      >
        Figures appear here as soon as someone signs up.
      </EmptyState>
    )
  const figures = [
    ['Users', amount(data.users)],
    ['Anonymous users', amount(data.anonymous)],
    ['Open sessions', amount(data.sessions)],
    ['Banned users', numberText(data.banned)],
  ] as const
  const charts = [
    ['New users', data.new_users],
    ['Sign-ins', data.sign_ins],
    ['Emails and text messages requested', data.messages],
  ] as const
  const max = Math.max(1, ...data.providers.map(({ count }) => count))
  return (
    <>
      <div className="figures">
        {figures.map(([name, value]) => (
          <div key={name} className="card">
            <span className="muted">{name}</span>
            <b>{value}</b>
          </div>
        ))}
      </div>
      <div className="users-charts">
        {charts.map(([name, days]) => (
          <section key={name} className="card users-chart">
            <h2>
              {name} <span className="faint">{numberText(sum(days))}</span>
            </h2>
            <Suspense fallback={<div className="users-plot" aria-busy />}>
              <DayChart label={name} days={days} />
            </Suspense>
          </section>
        ))}
        <section className="card users-chart">
          <h2>
            Sign-in methods{' '}
            {data.providers_estimate && <span className="faint">estimated, not counted</span>}
          </h2>
          {data.providers.length === 0 && <p className="help">None in use.</p>}
          <ul className="users-lines">
            {data.providers.map(({ provider, count }) => (
              <li key={provider}>
                <span className="users-share" style={{ '--share': `${(count / max) * 100}%` }}>
                  {providerLabel(provider)}
                </span>
                <span>{numberText(count)}</span>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}
