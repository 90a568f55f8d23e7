import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { useContent } from '../../../session/organization/mode.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { serverQuery, settingsQuery } from './queries.ts'
import { ParametersCard } from './ParametersCard.tsx'
import '../../../ui/lists/list-page.css'

type Props = {
  projectRef: string
  search: string
  onSearch: (search: string) => void
  /** The card that changes the password; undefined where the platform does not keep it. */
  password: ReactNode
}

/** /project/{ref}/database/settings */
export function DatabaseSettingsPage({ projectRef, search, onSearch, password }: Props) {
  return (
    <Page width="list">
      <PageHead
        title="Database settings"
        help="Connection details, the password and Postgres parameters."
      />
      <div className="sections">
        <ConnectionCard projectRef={projectRef} />
        {password}
        <SslCard projectRef={projectRef} />
        <ParametersCard projectRef={projectRef} search={search} onSearch={onSearch} />
      </div>
    </Page>
  )
}

/** Whether connections are encrypted, as it is: the server decides, not this page. */
function SslCard({ projectRef }: { projectRef: string }) {
  const { data: server } = useQuery(serverQuery(projectRef))
  const { data: settings } = useQuery(settingsQuery(projectRef))
  const { ssl_certificate_url: certificate } = useContent()
  if (!server || !settings) return null
  return (
    <Card
      title="SSL"
      end={
        <Badge tone={server.ssl ? 'success' : 'neutral'} dot>
          {server.ssl ? (settings.ssl_enforced ? 'Enforced' : 'Offered') : 'Not offered'}
        </Badge>
      }
    >
      <p className="muted">
        {server.ssl
          ? settings.ssl_enforced
            ? 'Every connection from outside must be encrypted.'
            : 'Clients can encrypt their connection (sslmode=require) but do not have to.'
          : 'This server takes unencrypted connections only. Its operator can turn SSL on, or put it behind an encrypted tunnel.'}
      </p>
      {certificate && (
        <p>
          <a className="link" href={certificate} target="_blank" rel="noreferrer">
            Download the certificate
          </a>{' '}
          <span className="muted">
            to check the server with: sslmode=verify-full and sslrootcert.
          </span>
        </p>
      )}
    </Card>
  )
}

/** Where the database is. The password stands nowhere: it is not kept in a form that could be shown. */
function ConnectionCard({ projectRef }: { projectRef: string }) {
  const query = useQuery(settingsQuery(projectRef))
  const { data: server } = useQuery(serverQuery(projectRef))
  const data = query.data
  if (query.error && !data)
    return <ErrorNote what="Connection" error={query.error} onRetry={() => void query.refetch()} />
  if (!data)
    return (
      <Card title="Connection">
        <Skeleton width="100%" height={160} />
      </Card>
    )
  const port = data.db_port === null ? '' : `:${data.db_port}`
  return (
    <Card title="Connection">
      <div className="form-stack">
        <CopyText
          text={`postgresql://${data.db_user}:[YOUR-PASSWORD]@${data.db_host}${port}/${data.db_name}`}
          what="connection string"
        />
        <dl className="defs">
          <dt>Host</dt>
          <dd className="mono">{data.db_host}</dd>
          <dt>Port</dt>
          <dd className="mono">{data.db_port ?? 'None while the project is not running'}</dd>
          <dt>Database</dt>
          <dd className="mono">{data.db_name}</dd>
          <dt>User</dt>
          <dd className="mono">{data.db_user}</dd>
          {server && (
            <>
              <dt>Version</dt>
              <dd>Postgres {server.version}</dd>
              <dt>Connections</dt>
              <dd>
                {server.connections} of {server.max_connections} in use,{' '}
                {server.reserved_connections} kept for the platform
              </dd>
            </>
          )}
        </dl>
        <p className="help">
          Each connection goes straight to the database; there is no pooler in between. Programs
          that open many short connections should use their own pool.
        </p>
      </div>
    </Card>
  )
}
