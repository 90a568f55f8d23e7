import { useQuery } from '@tanstack/react-query'
import { useContent } from '../../../session/organization/mode.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { serverQuery, settingsQuery } from './queries.ts'

/** Whether connections are encrypted, as it is: the server decides, not this page. */
export function SslCard({ projectRef }: { projectRef: string }) {
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
