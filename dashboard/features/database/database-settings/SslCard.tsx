import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { databaseSsl } from '#contract/database/database-ssl'
import { projects } from '#contract/projects/projects'
import { useCall } from '../../../api/client.ts'
import { useContent } from '../../../session/organization/mode.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { serverQuery, sslQuery } from './queries.ts'

const words = {
  enforced: {
    badge: 'Enforced',
    text: 'New connections to this database have to be encrypted; others are refused.',
  },
  offered: {
    badge: 'Offered',
    text: 'Clients can encrypt their connection (sslmode=require) but do not have to.',
  },
  none: {
    badge: 'Not offered',
    text: 'This server takes unencrypted connections only. Its operator can put it behind an encrypted tunnel.',
  },
} as const

/** Whether connections to the database are encrypted, and the certificate by which clients know the server. */
export function SslCard({ projectRef }: { projectRef: string }) {
  const { data, error, refetch } = useQuery(sslQuery(projectRef))
  const { data: server } = useQuery(serverQuery(projectRef))
  const [asking, setAsking] = useState(false)
  const why = useDenials(useProject(projectRef))(databaseSsl.enforce)
  const set = useCall(databaseSsl.enforce, {
    changes: [databaseSsl.get, projects.settings],
    onSuccess({ currentConfig, appliedSuccessfully }) {
      setAsking(false)
      const done = currentConfig.database ? 'SSL is enforced' : 'SSL is no longer enforced'
      toast.success(appliedSuccessfully ? done : `${done} as soon as the service has noticed`)
    },
  })
  if (error && !data) return <ErrorNote what="SSL" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Card title="SSL">
        <Skeleton width="100%" height={60} />
      </Card>
    )
  const { enforced, certificate } = data
  // A server that its operator runs may encrypt connections by itself.
  const offered = data.offered || server?.ssl === true
  const { badge, text } = words[enforced ? 'enforced' : offered ? 'offered' : 'none']
  return (
    <Card
      title="SSL"
      end={
        <Badge tone={offered ? 'success' : 'neutral'} dot>
          {badge}
        </Badge>
      }
      footer={
        (data.offered || enforced) && (
          <Button size="form" disabledReason={why} onClick={() => setAsking(true)}>
            {enforced ? 'Stop enforcing SSL' : 'Enforce SSL'}
          </Button>
        )
      }
    >
      <p className="muted">{text}</p>
      {offered && <Certificate hasOurs={certificate} isGiven={data.offered} />}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={enforced ? 'Stop enforcing SSL' : 'Enforce SSL'}
        danger={enforced}
        verb={enforced ? 'Stop enforcing SSL' : 'Enforce SSL'}
        error={set.error?.message}
        pending={set.isPending}
        onConfirm={() => set.mutate({ ref: projectRef, requestedConfig: { database: !enforced } })}
      >
        {enforced ? (
          <p>
            New connections may be unencrypted again. Whoever can read the network between a client
            and the database then reads what they say.
          </p>
        ) : (
          <p>
            New connections without SSL are refused at once, at the port of this database and at the
            pooler. Connections that are open stay. The dashboard, the API and edge functions are
            not affected.
          </p>
        )}
      </ConfirmDialog>
    </Card>
  )
}

/** Where the certificate is: the operator's own page about it comes first. */
function Certificate({ hasOurs, isGiven }: { hasOurs: boolean; isGiven: boolean }) {
  const { ssl_certificate_url: given } = useContent()
  const href = given ?? (hasOurs ? '/platform/database-certificate' : null)
  if (href === null)
    return isGiven ? (
      <p className="muted">
        The server has a certificate of its operator’s. Check it with sslmode=verify-full and
        sslrootcert=system.
      </p>
    ) : null
  return (
    <p>
      <a
        className="link"
        href={href}
        {...(given ? { target: '_blank', rel: 'noreferrer' } : { download: 'database-ca.crt' })}
      >
        Download the certificate
      </a>{' '}
      <span className="muted">
        to check the server with: sslmode=verify-full and sslrootcert=database-ca.crt.
      </span>
    </p>
  )
}
