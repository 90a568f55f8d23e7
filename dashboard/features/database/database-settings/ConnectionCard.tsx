import { useQuery } from '@tanstack/react-query'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { serverQuery, settingsQuery } from './queries.ts'

/** Where the database is. The password stands nowhere: it is not kept in a form that could be shown. */
export function ConnectionCard({ projectRef }: { projectRef: string }) {
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
