import { useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import type { Alert as OneAlert } from '#contract/operations/alerts'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { AlertSettings, conditionNamesShown } from './AlertSettings.tsx'
import { alertSettingsQuery, alertsQuery } from './queries.ts'
import './installation.css'

const everyMs = 15_000

/** /operator/alerts: which promises are broken, and who is told. */
export function AlertsPage() {
  const alerts = useQuery({ ...alertsQuery, refetchInterval: everyMs })
  const settings = useQuery(alertSettingsQuery)
  // It outlives the form, which begins anew with what was saved.
  const [secret, setSecret] = useState<string>()
  return (
    <Page>
      <PageHead
        title="Alerts"
        help="An alert opens when something is wrong and closes when that is over. You are notified when it opens and when it closes."
      />
      <div className="form-stack">
        <Card title="Open and resolved" padded={false}>
          <Table
            label="Alerts"
            columns={columns}
            rows={alerts.data?.alerts}
            keyOf={({ id }) => id}
            error={alerts.error}
            onRetry={() => void alerts.refetch()}
            empty={
              <EmptyState icon={BellRing} title="No alerts">
                Nothing has gone wrong so far.
              </EmptyState>
            }
          />
        </Card>
        {settings.error && !settings.data && (
          <ErrorNote
            what="Settings"
            error={settings.error}
            onRetry={() => void settings.refetch()}
          />
        )}
        {settings.data && (
          <div className="alert-settings">
            <AlertSettings
              key={JSON.stringify(settings.data)}
              saved={settings.data}
              absent={alerts.data?.absent ?? []}
              secret={secret}
              onSecret={setSecret}
            />
          </div>
        )}
      </div>
    </Page>
  )
}

const columns: Column<OneAlert>[] = [
  {
    id: 'state',
    head: 'State',
    width: '110px',
    cell: ({ closed_at }) =>
      closed_at === null ? (
        <Status tone="danger">Open</Status>
      ) : (
        <Status tone="success">Resolved</Status>
      ),
  },
  {
    id: 'condition',
    head: 'Alert',
    width: '190px',
    wideOnly: true,
    cell: ({ condition }) => conditionNamesShown[condition],
  },
  {
    id: 'message',
    head: 'What happened',
    cell: ({ message }) => <span className="health-wrap">{message}</span>,
  },
  {
    id: 'webhook',
    head: 'Webhook',
    width: '150px',
    wideOnly: true,
    cell: ({ deliveries }) => <Delivered deliveries={deliveries} />,
  },
  {
    id: 'opened',
    head: 'Opened',
    numeric: true,
    width: '100px',
    cell: ({ opened_at: at }) => <Time at={at} />,
  },
  {
    id: 'closed',
    head: 'Resolved',
    numeric: true,
    width: '100px',
    wideOnly: true,
    cell: ({ closed_at: at }) => (at === null ? '' : <Time at={at} />),
  },
]

/** How the newest message of an alert fares. */
function Delivered({ deliveries }: Pick<OneAlert, 'deliveries'>) {
  const last = deliveries.at(-1)
  if (!last) return <span className="faint">Not sent</span>
  if (last.told_at !== null) return 'Delivered'
  return (
    <span className="health-wrap tone-warning">
      {last.next_at === null ? 'Given up' : 'Trying again'}
      {last.failure === null ? '' : `: ${last.failure}`}
    </span>
  )
}
