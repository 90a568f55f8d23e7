import type { Generated } from 'kysely'

type Certificate = {
  hostname: string
  certificate: string | null
  sealed_key: string | null
  version: string | null
  not_before: Date | null
  not_after: Date | null
  attempt: string | null
  challenge_token: string | null
  challenge_answer: string | null
  next_at: Date
  failures: Generated<number>
  failure: string | null
}

/** Certificates of custom hostnames and of the installation's own names, and the orders that they come from. */
export type DomainsTables = {
  'platform.acme_accounts': { directory: string; sealed_key: string; created_at: Date }
  'platform.hostname_certificates': Certificate & { project_id: string }
  'platform.installation_certificates': Certificate
  'platform.acme_attempts': {
    id: Generated<string>
    hostname: string
    organization_id: string | null
    began_at: Date
  }
}
