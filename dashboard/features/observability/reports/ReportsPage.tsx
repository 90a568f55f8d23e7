import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { snippets } from '#contract/database/snippets'
import { reportKeys, reportOf } from '#contract/observability/report-pages'
import { call, forget } from '../../../api/client.ts'
import { customReportsQuery, putInput } from '../../../modules/reports/custom-reports.ts'
import { profileQuery } from '../../../session/identity/profile.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { ReportNameDialog } from './custom/ReportNameDialog.tsx'
import './reports.css'

/** /project/{ref}/reports: what there is to read. */
export function ReportsPage({ projectRef }: { projectRef: string }) {
  return (
    <Page width="list">
      <PageHead title="Reports" help="How the project is used and how it performs, over time." />
      <CustomReports projectRef={projectRef} />
      <h2 className="report-ready">Ready-made</h2>
      <ul className="report-list">
        {reportKeys.map((key) => (
          <li key={key}>
            <Link
              to="/project/$ref/reports/$report"
              params={{ ref: projectRef, report: key }}
              className="card"
            >
              <b>{reportOf(key).title}</b>
              <span className="muted">{reportOf(key).about}.</span>
            </Link>
          </li>
        ))}
        <li>
          <Link
            to="/project/$ref/reports/query-performance"
            params={{ ref: projectRef }}
            className="card"
          >
            <b>Query performance</b>
            <span className="muted">Which statements take the most time.</span>
          </Link>
        </li>
      </ul>
    </Page>
  )
}

/** Reports that people have put together, and a new one. */
function CustomReports({ projectRef: ref }: { projectRef: string }) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const why = useDenials(useProject(ref))
  const query = useInfiniteQuery(customReportsQuery(ref))
  const navigate = useNavigate()
  const [isNaming, setNaming] = useState(false)
  const denied = why(snippets.put, {
    subject: { id: profile.id },
    resource: { owner_id: profile.id, type: 'report' },
  })
  async function make(values: { name: string; description: string | null }): Promise<void> {
    const id = crypto.randomUUID()
    const made = { ...values, id, visibility: 'user', blocks: [], revision: 0 } as const
    await call(snippets.put, putInput(ref, made))
    await forget(snippets.list)
    await navigate({ to: '/project/$ref/reports/$report', params: { ref, report: id } })
  }
  const reports = query.data?.pages.flatMap(({ data }) => data)
  return (
    <section className="report-own" aria-label="Reports of your own">
      <div className="report-own-head">
        <h2>Your own</h2>
        <Button icon={Plus} disabledReason={denied} onClick={() => setNaming(true)}>
          New report
        </Button>
      </div>
      {query.error && (
        <ErrorNote what="Reports" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!reports && !query.error && <Skeleton width="40%" />}
      {reports?.length === 0 && (
        <p className="muted">
          Put charts, queries and text together as you need them, for yourself or for everybody in
          the project.
        </p>
      )}
      <ul className="report-list">
        {reports?.map(({ id, name, description, visibility, owner, owner_id, updated_at }) => (
          <li key={id}>
            <Link to="/project/$ref/reports/$report" params={{ ref, report: id }} className="card">
              <b className="ell">{name}</b>
              <span className="muted ell">{description ?? 'No description'}</span>
              <span className="faint t12">
                {visibility === 'user'
                  ? 'Only you'
                  : owner_id === profile.id
                    ? 'Shared with the project'
                    : `From ${owner.username}`}
                {', changed '}
                <Ago at={updated_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <div className="more">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
      {isNaming && (
        <ReportNameDialog
          title="New report"
          verb="Create report"
          name=""
          description=""
          save={make}
          onClose={() => setNaming(false)}
        />
      )}
    </section>
  )
}
