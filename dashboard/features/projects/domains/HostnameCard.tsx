import { useState, type ReactNode } from 'react'
import {
  domains as api,
  type CustomHostname,
  type DnsRecord,
  type Domains,
} from '#contract/projects/domains'
import type { Project } from '#contract/projects/projects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Status, type StatusTone } from '../../../ui/text/Status.tsx'
import { Ago } from '../../../ui/text/Time.tsx'
import { HostnameCertificate } from './HostnameCertificate.tsx'
import { useChangeNames, type NamesProps } from './queries.ts'

export type HostnameProps = NamesProps & { custom: CustomHostname }
type Props = HostnameProps & {
  status: ReactNode
  /** What else can be done, beside deleting it and checking its records. */
  actions?: ReactNode
  /** What has gone wrong. */
  warnings: ReactNode
  /** What stands before the records. */
  children: ReactNode
}

/** The card of a hostname, on its way or there: its records, and what was found of them. */
export function HostnameCard(props: Props) {
  const { project, domains, custom, status, actions, warnings, children } = props
  const { ref, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const check = useChangeNames(api.reverify, ref)
  return (
    <Card
      title="Custom hostname"
      end={status}
      footer={
        <>
          <DeleteHostname project={project} custom={custom} />
          <Button
            size="form"
            busy={check.isPending}
            disabledReason={why(api.reverify)}
            onClick={() => check.mutate({ ref })}
          >
            Check records
          </Button>
          {actions}
        </>
      }
    >
      <div className="form-stack">
        {warnings}
        {check.error && <Alert variant="danger" title={check.error.message} />}
        {children}
        <DnsRecords records={custom.records} />
        {custom.checked_at !== null && (
          <p className="muted">
            Last checked <Ago at={custom.checked_at} />.
          </p>
        )}
        {custom.certificate && (
          <HostnameCertificate project={project} certificate={custom.certificate} />
        )}
        <CertificateNote domains={domains} custom={custom} />
      </div>
    </Card>
  )
}

const states: Record<NonNullable<DnsRecord['state']>, { tone: StatusTone; word: string }> = {
  found: { tone: 'success', word: 'Found' },
  missing: { tone: 'warning', word: 'Not found' },
  different: { tone: 'danger', word: 'Has another value' },
  unknown: { tone: 'off', word: 'DNS did not answer' },
}
const purposes = {
  CNAME: 'Leads requests to this installation.',
  TXT: 'Proves that the hostname is yours.',
}

/** The records that a hostname needs, each with what was found the last time. */
const DnsRecords = ({ records }: { records: readonly DnsRecord[] }) => (
  <ul className="dns-records" aria-label="DNS records">
    {records.map(({ type, name, value, state, found }) => (
      <li key={type}>
        <div className="dns-head">
          <Badge>{type}</Badge>
          <span className="muted grow">{purposes[type]}</span>
          {state === null ? (
            <Status tone="off">Not checked yet</Status>
          ) : (
            <Status tone={states[state].tone}>{states[state].word}</Status>
          )}
        </div>
        <div className="dns-values">
          <CopyText label="Name" text={name} what={`${type} name`} />
          <CopyText label="Value" text={value} what={`${type} value`} />
        </div>
        {found.length > 0 && (
          <p className="muted">
            Your DNS has <span className="mono dns-found">{found.join(', ')}</span>
          </p>
        )}
      </li>
    ))}
  </ul>
)

/** Where the certificate comes from, while there is none of ours. */
function CertificateNote({ domains, custom }: { domains: Domains; custom: CustomHostname }) {
  const { hostname, status } = custom
  if (domains.certificates)
    return status === 'active' ? null : (
      <p className="muted">
        Once the hostname is active, this installation gets a certificate for it and renews it.
      </p>
    )
  return domains.https ? (
    <Alert variant="info" title="HTTPS needs a certificate at the reverse proxy">
      This installation does not get certificates by itself. The proxy in front of it needs one for{' '}
      <span className="mono">{hostname}</span>, and must pass the Host header on unchanged. Ask its
      operator.
    </Alert>
  ) : (
    <Alert variant="info" title="This installation serves projects over HTTP">
      Requests to <span className="mono">{hostname}</span> are not encrypted unless a reverse proxy
      with a certificate for it stands in front of this installation.
    </Alert>
  )
}

type DeleteHostnameProps = { project: Project; custom: CustomHostname }

function DeleteHostname({ project, custom: { hostname, status } }: DeleteHostnameProps) {
  const { ref, organization_slug: organizationSlug } = project
  const isActive = status === 'active'
  const [asking, setAsking] = useState(false)
  const why = useDenials({ organizationSlug, projectRef: ref })
  const remove = useChangeNames(api.remove, ref, () => toast.success(`${hostname} was deleted`))
  return (
    <>
      <Button
        size="form"
        disabledReason={why(api.remove)}
        onClick={() => {
          remove.reset()
          setAsking(true)
        }}
      >
        Delete hostname
      </Button>
      {asking && (
        <ConfirmDialog
          open
          onClose={() => setAsking(false)}
          title="Delete custom hostname"
          verb="Delete hostname"
          {...(isActive && { typeName: hostname })}
          error={remove.error?.message}
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ ref })}
        >
          <p>
            {isActive
              ? `Apps that use ${hostname} stop working, and links in emails that were sent break. `
              : ''}
            If you add the hostname again, it gets a new TXT record. Remove the CNAME record from
            your DNS afterwards.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
