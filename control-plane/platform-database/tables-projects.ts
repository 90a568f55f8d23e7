import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { NewTables } from '#contract/data-api/data-api'
import type { ApiKeyType } from '#contract/projects/api-keys'
import type { Jwks, ThirdPartyType } from '#contract/auth/third-party-auth'
import type { SigningAlgorithm, SigningKeyStatus } from '#contract/projects/signing-keys'
import type { Backup } from '#contract/projects/backups'
import type { ReplicaStatus } from '#contract/projects/replicas'
import type { BranchStart, BranchStatus } from '#contract/projects/branches'
import type { BranchMask } from '#contract/projects/branch-masks'
import type { DryRunCopy, DryRunMigration, DryRunState } from '#contract/projects/dry-runs'
import type { RequestState, Verdict } from '#contract/projects/merge-requests'
import type { HostnameStatus, RecordState } from '#contract/projects/domains'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { DiskState } from '#contract/projects/disk'
import type { ServiceRestarts } from '#contract/projects/service-restarts'
import type { CopyChanges, RoleLook } from '#compute/provider'
import type { Stamp } from './stamp.ts'

/** Written as text, such as 2026-11-26. */
type Day = ColumnType<Date, string, string>

/** Where a project's database listens: a socket directory, or the host of one that was there before Plinth. */
export type ProjectAddress = {
  host: string
  port: number
  name?: string
  tls?: 'require' | 'verify-full'
}

/** What name servers said of the two records of a custom hostname. */
export type RecordLook = { state: RecordState; found: string[] }
export type HostnameLook = { cname: RecordLook; txt: RecordLook }

/** Rows of projects: keys, secrets, backups, disk, usage, and what was found on their servers. */
export type ProjectsTables = {
  'platform.favorites': { user_id: string; project_id: string }
  'platform.projects': {
    id: Generated<string>
    ref: string
    organization_id: string
    name: string
    status: ProjectStatus
    status_since: Stamp
    job_id: string | null
    failure: string | null
    region: string
    cloud_provider: string
    compute_size: ComputeSizeId
    db_version: string
    /** Read as an object, written as JSON text. */
    db_address: ColumnType<ProjectAddress | null, string | null, string | null>
    sealed_secrets: string
    key_version: Generated<number>
    legacy_keys_disabled_at: Generated<Date | null>
    keys_optional: Generated<boolean>
    new_tables: Generated<NewTables>
    listen_port: Generated<number | null>
    /** CIDR; null: everywhere. */
    allowed_networks: Generated<string[] | null>
    /** Whether the server goes by them yet. */
    networks_applied: Generated<boolean>
    ssl_enforced: Generated<boolean>
    service_restarts: Generated<ServiceRestarts>
    /** Under which project's name the secrets in its database were sealed; null: its own. */
    sealing_ref: Generated<string | null>
    keeps_wal_since: Generated<Date | null>
    /** The project that it is a branch of. */
    parent_id: Generated<string | null>
    /** A copy of its parent for a dry run, which is no branch. */
    is_dry_run: Generated<boolean>
    /** Since when it waits in the trash, or is being taken down in order to; null: it does not. */
    deleted_at: Generated<Date | null>
    deleted_by: Generated<string | null>
    removed_for_good_at: Generated<Date | null>
    /** Variants of the add-ons that come back with it. */
    kept_add_ons: Generated<string[]>
    inserted_at: Stamp
    updated_at: Stamp
  }
  'platform.read_replicas': {
    id: Generated<string>
    project_id: string
    identifier: string
    status: Generated<ReplicaStatus>
    failure: Generated<string | null>
    job_id: string | null
    /** Written as JSON text. */
    db_address: ColumnType<ProjectAddress | null, string | null | undefined, string | null>
    made_at: Generated<Date | null>
    created_by: string | null
    created_at: Stamp
  }
  'platform.branches': {
    id: Generated<string>
    project_id: string
    parent_id: string
    name: string
    git_branch: string | null
    persistent: Generated<boolean>
    with_data: Generated<boolean>
    starts_with: Generated<BranchStart>
    status: Generated<BranchStatus>
    failure: Generated<string | null>
    job_id: string | null
    ordered_by: Generated<string>
    /** Digests of the parent's functions as they were taken over, by slug; written as JSON text. */
    base_functions: ColumnType<Record<string, string>, string | undefined, string>
    /** What main had of each area when it was last taken over; written as JSON text. */
    base_settings: ColumnType<Record<string, Record<string, unknown>>, string | undefined, string>
    /** By whom its last job was ordered, and what that is to do; written as JSON text. */
    ordered: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>
    merged_at: Generated<Date | null>
    /** It waits in the trash, and its name is free. */
    deleted: Generated<boolean>
    created_by: string | null
    created_at: Stamp
    updated_at: Stamp
  }
  'platform.git_sources': {
    project_id: string
    archive_url: string
    sealed_token: string | null
    sealed_secret: string
    folder: string
    production_branch: string
    set_by: string
    set_by_email: string
    set_at: Stamp
  }
  'platform.git_deployments': {
    id: Generated<string>
    project_id: string
    target_id: string
    git_branch: string
    commit: string
    status: Generated<'waiting' | 'running' | 'done' | 'failed' | 'superseded'>
    failure: string | null
    log: Generated<string[]>
    body_digest: string | null
    job_id: string | null
    at: Stamp
    finished_at: Date | null
  }
  'platform.branch_settings': {
    project_id: string
    pause_after_hours: number | null
    /** Written as JSON text. */
    masks: ColumnType<BranchMask[], string | undefined, string>
    merge_approvals: Generated<number>
  }
  'platform.dry_runs': {
    id: Generated<string>
    parent_id: string
    branch_id: string
    copy_ref: string
    copied: DryRunCopy
    digest: string
    state: Generated<DryRunState>
    begun: Generated<boolean>
    failure: string | null
    /** Written as JSON text. */
    migrations: ColumnType<DryRunMigration[], string | undefined, string>
    ordered_by: string
    ordered_by_email: string
    started_at: Stamp
    finished_at: Date | null
  }
  'platform.merge_requests': {
    id: Generated<string>
    branch_id: string
    title: string
    description: Generated<string>
    state: Generated<RequestState>
    reviewers: Generated<string[]>
    created_by: string
    created_at: Stamp
    closed_at: Date | null
  }
  'platform.merge_request_notes': {
    id: Generated<string>
    request_id: string
    user_id: string
    at: Generated<Date>
    verdict: Verdict | null
    digest: string | null
    body: Generated<string>
  }
  'platform.branch_steps': {
    id: Generated<string>
    branch_id: string
    at: Generated<Date>
    failed: Generated<boolean>
    message: string
  }
  'platform.password_changes': {
    project_id: string
    begun_at: Generated<Date>
  }
  'platform.signing_keys': {
    id: Generated<string>
    project_id: string
    algorithm: SigningAlgorithm
    status: SigningKeyStatus
    is_legacy: Generated<boolean>
    kid: string | null
    public_jwk: JSONColumnType<Record<string, unknown>> | null
    sealed_jwk: string | null
    created_at: Stamp
    updated_at: Stamp
  }
  'platform.api_keys': {
    id: Generated<string>
    project_id: string
    type: ApiKeyType
    name: string
    description: string | null
    sha256: string
    sealed_key: string
    prefix: string
    last_used_at: Date | null
    inserted_at: Stamp
    updated_at: Stamp
  }
  'platform.third_party_auths': {
    id: Generated<string>
    project_id: string
    type: ThirdPartyType
    oidc_issuer_url: string | null
    jwks_url: string | null
    custom_jwks: JSONColumnType<Jwks> | null
    resolved_jwks: JSONColumnType<Jwks>
    resolved_at: Stamp
    inserted_at: Stamp
    updated_at: Stamp
  }
  'platform.project_secrets': {
    project_id: string
    name: string
    sealed_value: string
    digest: string
    updated_at: Stamp
  }
  'platform.backups': {
    id: Generated<string>
    project_id: string
    reason: Backup['reason']
    status: ColumnType<Backup['status'], undefined, Backup['status']>
    taken_at: Generated<Date | null>
    size_bytes: Generated<string | null>
    tables: Generated<number | null>
    rows: Generated<string | null>
    failure: Generated<string | null>
    inserted_at: Stamp
    finished_at: Generated<Date | null>
    expires_at: Date
  }
  'platform.restores': {
    id: Generated<string>
    project_id: string
    source_id: string
    backup_id: string | null
    until: Date | null
    restored_to: Date
    came_from: ProjectStatus
    safety_id: string | null
    /** Written as JSON text. */
    changes: ColumnType<CopyChanges | null, string | null | undefined, string | null>
    status: ColumnType<'IN_PROGRESS' | 'COMPLETED' | 'FAILED', undefined, string>
    inserted_at: Stamp
    finished_at: Generated<Date | null>
  }
  'platform.project_disk': {
    project_id: string
    measured_at: Date
    /** Read as text, since it is an int8. */
    database_bytes: string
    other_bytes: string
    state: DiskState
    writable_until: Date | null
    /** The server may have been told because of this. */
    read_only: Generated<boolean>
  }
  'platform.metric_samples': {
    project_id: string
    seconds: number
    began_at: Date
    /** Cores. */
    cpu: number | null
    cpu_max: number | null
    /** Read as text, since they are int8. */
    memory_bytes: string | null
    connections: number | null
    database_bytes: string | null
    other_bytes: string | null
    read_bytes: string | null
    written_bytes: string | null
    restarts: number | null
  }
  'platform.server_starts': {
    project_id: string
    start: string
    restarts: Generated<string>
  }
  /** Orders to change a compute size; by the job that carries each out. */
  'platform.custom_hostnames': {
    project_id: string
    hostname: string
    nonce: string
    status: HostnameStatus
    /** Written as JSON text. */
    looked: ColumnType<HostnameLook | null, string | null, string | null>
    checked_at: Date | null
    failing_since: Date | null
    initiated_at: Date
    activated_at: Date | null
  }
  'platform.vanity_subdomains': { project_id: string; name: string; activated_at: Date }
  'platform.project_resizes': {
    job_id: string
    project_id: string
    from_size: ComputeSizeId
    to_size: ComputeSizeId
    ordered_at: Date
    finished_at: Date | null
    outcome: 'resized' | 'kept' | null
    failure: string | null
    down_ms: number | null
  }
  /** Orders to run on another version of PostgreSQL; by the job that carries each out. */
  'platform.project_upgrades': {
    job_id: string
    project_id: string
    from_programs: string
    to_programs: string
    ordered_at: Date
    finished_at: Date | null
    outcome: 'upgraded' | 'kept' | null
    failure: string | null
    down_ms: number | null
  }
  'platform.maintenance_windows': { project_id: string; weekday: number; hour: number }
  'platform.project_activity': {
    project_ref: string
    seen_at: Date | null
    warned_at: Date | null
  }
  'platform.request_counts': {
    project_ref: string
    service: string
    began_at: Date
    seconds: number
    requests: string
    errors: string
    histogram: string[]
    cpu_ms: ColumnType<string, string | undefined, string>
    memory_mb: ColumnType<number, number | undefined, number>
  }
  'platform.storage_use': {
    project_ref: string
    day: Day
    egress: string
  }
  'platform.rendered_images': {
    project_ref: string
    month: Day
    origin: string
  }
  'platform.project_key_uses': {
    project_ref: string
    first_used_at: Stamp
  }
  'platform.role_looks': {
    project_id: string
    looked_at: Date
    findings: JSONColumnType<RoleLook['findings']>
    failure: string | null
  }
  'platform.orphans': {
    kind: 'project' | 'backup'
    ref: string
    name: Generated<string>
    state: Generated<string>
    found_at: Stamp
  }
}
