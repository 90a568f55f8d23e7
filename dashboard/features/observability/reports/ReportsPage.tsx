import { Link } from '@tanstack/react-router'
import { reportKeys, reportOf } from '#contract/observability/report-pages'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { CustomReports } from './custom/CustomReports.tsx'
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
