import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { RoleName } from '#contract/permissions'
import type { JoinRole } from '#contract/organizations/sso'
import type { RestrictionStatus } from '#contract/billing/billing-operator'
import type { RestrictionCause } from '#contract/billing/quotas'
import type { UsageMetric } from '#contract/billing/usage'
import type {
  Address,
  InvoiceLine,
  InvoiceReason,
  InvoiceStatus,
} from '#contract/billing/billing-shapes'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { BillingPartner, Tier } from '#contract/billing/plans'
import type { Stamp } from './stamp.ts'

/** bigint comes as text; amounts fit a JavaScript number and are written as one. */
type BigCents = ColumnType<string, number, number>
type BigCentsOr0 = ColumnType<string, number | undefined, number>
/** Read as an object, written as JSON text. */
type Json<T> = ColumnType<T | null, string | null | undefined, string | null>

export type BillTo = {
  organization: string
  name: string | null
  email: string | null
  address: Address | null
  tax_ids: { name: string; value: string }[]
}

type Usage = {
  id: Generated<string>
  organization_id: string
  project_ref: string
  project_name: string
  started_at: Date
  ended_at: Date | null
}

/** Rows of organizations: members, sign-in, billing. */
export type OrganizationsTables = {
  'platform.organizations': {
    id: Generated<string>
    slug: string
    name: string
    kind: string
    size: string | null
    tier: Tier
    billing_email: string | null
    inserted_at: Stamp
    opt_in_tags: Generated<string[]>
    requires_mfa: Generated<boolean>
    restriction_status: Generated<RestrictionStatus | null>
    grace_period_end: Generated<Date | null>
    restriction_cause: Generated<RestrictionCause | null>
    quota_grace_at: Generated<Date | null>
    billing_partner: Generated<BillingPartner | null>
  }
  'platform.restriction_stages': {
    organization_id: string
    cause: 'overdue' | 'quota'
    status: RestrictionStatus
    grace_period_end: Date
  }
  'platform.quota_notices': {
    organization_id: string
    cycle_start: Date
    metric: UsageMetric
    level: 'near' | 'exceeded'
  }
  'platform.members': {
    organization_id: string
    user_id: string
    /** Null: this member has roles for single projects (platform.project_roles). */
    role: RoleName | null
    inserted_at: Stamp
  }
  'platform.audit_entries': {
    id: Generated<string>
    organization_id: string | null
    actor_id: string | null
    actor_email: string | null
    action: string
    target: string
    change: JSONColumnType<Record<string, unknown>>
    ip: string | null
    user_agent: string | null
    request_id: string | null
    occurred_at: Stamp
    previous_hash: string
    hash: string
  }
  'platform.oauth_apps': {
    id: Generated<string>
    organization_id: string
    client_id: Generated<string>
    client_secret_hash: string | null
    client_secret_alias: string | null
    name: string
    website: string
    icon: string | null
    redirect_uris: string[]
    scopes: string[]
    created_by: string | null
    created_at: Stamp
  }
  'platform.oauth_requests': {
    id: Generated<string>
    app_id: string
    redirect_uri: string
    state: string | null
    scopes: string[]
    code_challenge: string | null
    user_id: string | null
    answered_at: Date | null
    expires_at: Date
  }
  'platform.oauth_grants': {
    id: Generated<string>
    app_id: string
    organization_id: string
    user_id: string
    scopes: string[]
    authorized_at: Stamp
  }
  'platform.oauth_codes': {
    hash: string
    grant_id: string
    redirect_uri: string
    code_challenge: string | null
    scopes: string[]
    family: Generated<string>
    used_at: Date | null
    expires_at: Date
  }
  'platform.oauth_tokens': {
    id: Generated<string>
    hash: string
    kind: 'access' | 'refresh'
    grant_id: string
    family: string
    scopes: string[]
    used_at: Date | null
    expires_at: Date
  }
  'platform.project_roles': {
    id: Generated<string>
    organization_id: string
    user_id: string
    base_role: RoleName
    inserted_at: Stamp
  }
  'platform.project_role_projects': { project_id: string; user_id: string; role_id: string }
  'platform.invitations': {
    id: Generated<string>
    organization_id: string
    email: string
    role: RoleName
    project_ids: string[] | null
    token_hash: string
    invited_by: string
    invited_by_email: string
    invited_at: Stamp
    expires_at: Date
    closed_at: Date | null
  }
  'platform.invitation_mails': { id: Generated<string>; organization_id: string; sent_at: Stamp }
  'platform.organization_sso': {
    organization_id: string
    provider_id: string
    join_role: JoinRole
    inserted_at: Stamp
    updated_at: Stamp
  }
  'platform.sso_domains': {
    organization_id: string
    domain: string
    token: string
    verified_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
  'platform.subscriptions': {
    organization_id: string
    anchor: Date
    period_start: Date
    period_end: Date
    scheduled_tier: Tier | null
  }
  'platform.invoices': {
    id: Generated<string>
    organization_id: string
    key: string
    number: string | null
    reason: InvoiceReason
    status: InvoiceStatus
    total: BigCents
    credit_applied: BigCentsOr0
    amount_due: BigCentsOr0
    amount_paid: BigCentsOr0
    period_start: Date
    period_end: Date
    created_at: Date
    issued_at: Date | null
    due_at: Date | null
    paid_at: Date | null
    bill_to: Json<BillTo>
  }
  'platform.invoice_lines': {
    invoice_id: string
    position: number
    kind: InvoiceLine['kind']
    description: string
    quantity: number
    unit: InvoiceLine['unit']
    unit_price: ColumnType<string | null, number | null, number | null>
    amount: BigCents
    project_ref: string | null
    compute_size: ComputeSizeId | null
    period_start: Date
    period_end: Date
  }
  'platform.ledger_entries': {
    id: Generated<string>
    organization_id: string
    kind: 'charge' | 'credit' | 'payment' | 'refund' | 'adjustment'
    amount: BigCents
    description: string
    invoice_id: string | null
    key: string
    occurred_at: Date
  }
  'platform.invoice_counter': { one: boolean; last: ColumnType<string, never, number> }
  'platform.billing_runs': { organization_id: string; period_end: Date; job_id: string }
  /** `replica`: of which replica of the project; null: of the project itself. */
  'platform.compute_usage': Usage & {
    compute_size: ComputeSizeId
    replica: Generated<string | null>
    /** The ref of the project that it is a branch of; null: it is none. */
    branch_of: Generated<string | null>
  }
  'platform.add_on_usage': Omit<Usage, 'project_ref'> & {
    /** Null: of the organization itself. */
    project_ref: string | null
    variant: string
    /** Which of several it is. */
    item: string | null
  }
  'platform.billing_customers': {
    organization_id: string
    name: string | null
    additional_emails: Generated<string[]>
    address: Json<Address>
    external_id: string | null
  }
  'platform.tax_ids': {
    id: Generated<string>
    organization_id: string
    type: string
    country: string
    value: string
    inserted_at: Stamp
  }
  'platform.payment_events': { id: string; type: string; received_at: Stamp }
  'platform.downgrade_feedback': {
    id: Generated<string>
    organization_id: string | null
    reasons: string[]
    message: string
    inserted_at: Stamp
  }
}
