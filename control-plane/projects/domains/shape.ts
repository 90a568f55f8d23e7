import type {
  CustomHostname,
  DnsRecord,
  Domains,
  HostnameCertificate,
  RecordState,
} from '#contract/projects/domains'
import { customUrl, projectEndpoint } from '#contract/projects/project-address'
import { hasFeature } from '#contract/billing/plan-comparison'
import { planOfTier } from '#contract/billing/plans'
import type { RecordLook } from '../../platform-database/tables-projects.ts'
import type { InstallationNames } from './addresses.ts'
import { challengePrefix } from './names.ts'
import type { HostnameRow, Subject, VanityRow } from './store.ts'

type Shaping = {
  names: InstallationNames
  projectUrl: string
  tokenOf: (subject: Subject, row: HostnameRow) => string
  /** Null: this installation gets no certificates by itself. */
  certificate: HostnameCertificate | null
}

export const txtName = (hostname: string) => `${challengePrefix}${hostname}`

const stateOf = (look: RecordLook | undefined): { state: RecordState | null; found: string[] } => ({
  state: look?.state ?? null,
  found: look?.found ?? [],
})

export const plansOf = ({ tier }: Subject) => ({
  custom: hasFeature(planOfTier[tier], 'security.customDomains'),
  vanity: hasFeature(planOfTier[tier], 'security.vanityUrls'),
})

export function shapeDomains(
  subject: Subject,
  rows: { custom: HostnameRow | undefined; vanity: VanityRow | undefined },
  shaping: Shaping,
): Domains {
  const { names, projectUrl } = shaping
  const plan = plansOf(subject)
  const { vanityDomain } = names
  return {
    url: projectEndpoint(subject.ref, projectUrl),
    target: names.targetOf(subject.ref),
    vanity_domain: vanityDomain,
    https: names.https,
    certificates: shaping.certificate !== null,
    plan,
    add_on: subject.add_on,
    custom: rows.custom ? shapeCustom(subject, rows.custom, shaping, plan.custom) : null,
    vanity: rows.vanity
      ? {
          name: rows.vanity.name,
          url: projectEndpoint(rows.vanity.name, projectUrl),
          served: plan.vanity && vanityDomain !== null,
          activated_at: rows.vanity.activated_at.toISOString(),
        }
      : null,
  }
}

function shapeCustom(
  subject: Subject,
  row: HostnameRow,
  { names, projectUrl, tokenOf, certificate }: Shaping,
  inPlan: boolean,
): CustomHostname {
  const { hostname, status, looked } = row
  const target = names.targetOf(subject.ref)
  const served = status === 'active' && inPlan && subject.add_on
  const cname: DnsRecord[] =
    target === null
      ? []
      : [{ type: 'CNAME', name: hostname, value: target, ...stateOf(looked?.cname) }]
  return {
    hostname,
    status,
    served,
    url: customUrl(hostname, projectUrl),
    records: [
      ...cname,
      {
        type: 'TXT',
        name: txtName(hostname),
        value: tokenOf(subject, row),
        ...stateOf(looked?.txt),
      },
    ],
    checked_at: row.checked_at?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    initiated_at: row.initiated_at.toISOString(),
    activated_at: row.activated_at?.toISOString() ?? null,
    certificate: served ? certificate : null,
  }
}
