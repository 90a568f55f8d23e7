import type { DnsRecord, Domains } from '#contract/projects/domains'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Status, type StatusTone } from '../../../ui/text/Status.tsx'

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
export const DnsRecords = ({ records }: { records: readonly DnsRecord[] }) => (
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

/** What whoever terminates TLS has to do, since Plinth does not. */
export const ProxyNote = ({ domains, hostname }: { domains: Domains; hostname: string }) =>
  domains.https ? (
    <Alert variant="info" title="HTTPS needs a certificate at the reverse proxy">
      Plinth does not issue certificates. The proxy in front of this installation needs one for{' '}
      <span className="mono">{hostname}</span>, and must pass the Host header on unchanged. Ask its
      operator.
    </Alert>
  ) : (
    <Alert variant="info" title="This installation serves projects over HTTP">
      Requests to <span className="mono">{hostname}</span> are not encrypted unless a reverse proxy
      with a certificate for it stands in front of this installation.
    </Alert>
  )
