import type { Domains } from '#contract/projects/domains'
import { Alert } from '../../../ui/Alert.tsx'

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
