import { z } from 'zod'
import { cloudProviders } from './cloud-providers.ts'
import { computeSizeIds } from './compute-sizes.ts'
import { newTablesChoices } from '../data-api/data-api.ts'
import { endpoint } from '../endpoint.ts'
import { ListenPort } from '../operations/listeners.ts'
import { inOrganization, inProject } from '../permissions.ts'
import { projectStatuses } from './project-status.ts'
import { anyRegionCodes } from './regions.ts'
import { firstSigningKey } from './signing-keys.ts'
import { displayName, Pagination, pageInput, ProjectRef, Slug } from '../values.ts'

/** Where a project can be: `localhost` is the existing database of self-hosted mode (facts §0). */
const knownProviders = [...cloudProviders, 'localhost'] as const

/** GET /platform/projects/{ref} (facts §3.3; requirements §3 and §7). */
export const Project = z.object({
  id: z.number(),
  ref: z.string(),
  name: z.string(),
  organization_id: z.number(),
  organization_slug: z.string(),
  /** The organization's slug under the name that the requirements use. */
  slug: z.string(),
  status: z.enum(projectStatuses),
  /** Opaque marker for `x-connection-encrypted`; null until the database answers. */
  connectionString: z.string().nullable(),
  postgrestStatus: z.enum(['ONLINE', 'OFFLINE']),
  restUrl: z.string(),
  /** The address that always works. */
  endpoint: z.string(),
  /** The project URL that clients are created with: by a name of the project's own, where it has one. */
  public_url: z.string(),
  db_host: z.string(),
  db_port: z.number().nullable(),
  /** What people call themselves when they connect, and the database. */
  db_user: z.string(),
  db_name: z.string(),
  dbVersion: z.string(),
  cloud_provider: z.enum(knownProviders),
  region: z.string(),
  infra_compute_size: z.enum(computeSizeIds),
  parent_project_ref: z.string().nullable(),
  is_branch_enabled: z.boolean(),
  is_physical_backups_enabled: z.boolean(),
  subscription_id: z.string().nullable(),
  volumeSizeGb: z.number(),
  maxDatabasePreprovisionGb: z.number().nullable(),
  lastDatabaseResizeAt: z.string().nullable(),
  inserted_at: z.string(),
  /** Why the last job on it failed, in words for its members; null when nothing failed. */
  failure: z.string().nullable(),
  /** Why it goes on without what this version has for it, in words for its members, and when that was last tried; null: it has all. */
  upgrade_failure: z.object({ reason: z.string(), at: z.iso.datetime() }).nullable(),
})
export type Project = z.infer<typeof Project>

export const ProjectListItem = z.object({
  id: z.number(),
  ref: z.string(),
  name: z.string(),
  organization_id: z.number(),
  organization_slug: z.string(),
  cloud_provider: z.enum(knownProviders),
  region: z.string(),
  status: z.enum(projectStatuses),
  inserted_at: z.string(),
  infra_compute_size: z.enum(computeSizeIds),
  disk_volume_size_gb: z.number(),
  dbVersion: z.string(),
  is_branch_enabled: z.boolean(),
  is_physical_backups_enabled: z.boolean(),
  preview_branch_refs: z.array(z.string()),
  subscription_id: z.string().nullable(),
})
export type ProjectListItem = z.infer<typeof ProjectListItem>

export const ProjectSettings = z.object({
  app_config: z.object({ db_schema: z.string(), endpoint: z.string() }),
  cloud_provider: z.string(),
  db_dns_name: z.string(),
  db_host: z.string(),
  db_ip_addr_config: z.string(),
  db_name: z.string(),
  db_port: z.number().nullable(),
  db_user: z.string(),
  inserted_at: z.string(),
  is_sensitive: z.boolean(),
  /** Present only for callers who may read `field.jwt_secret`. */
  jwt_secret: z.string().optional(),
  name: z.string(),
  ref: z.string(),
  region: z.string(),
  /** The service key stands here only for callers who may read it. */
  service_api_keys: z.array(z.object({ api_key: z.string(), name: z.string(), tags: z.string() })),
  ssl_enforced: z.boolean(),
  status: z.enum(projectStatuses),
})
export type ProjectSettings = z.infer<typeof ProjectSettings>

const ByRef = z.object({ ref: ProjectRef })

export const projects = {
  list: endpoint('projects.list', 'GET /platform/projects', {
    needs: 'signed-in',
    input: z.object({ ...pageInput, search: z.string().max(100).optional() }),
    returns: z.object({ projects: z.array(ProjectListItem), pagination: Pagination }),
  }),
  create: endpoint('projects.create', 'POST /platform/projects', {
    needs: inOrganization('write:Create', 'projects'),
    perMinute: 120,
    status: 201,
    input: z.object({
      name: displayName(3, 64),
      organization_slug: Slug,
      /** 99 characters at most (requirements §5). That it scores 4 is asked of people, by the form; scripts choose. */
      db_pass: z.string().min(1).max(99, 'Password should be less than 100 characters'),
      /** One of the provider's. */
      db_region: z.enum(anyRegionCodes),
      /** The installation's own default unless told. */
      cloud_provider: z.enum(cloudProviders).optional(),
      /** The smallest that the plan offers unless told. */
      desired_instance_size: z.enum(computeSizeIds).optional(),
      /** A port of this machine of its own, as `listeners.set` gives one. */
      listen_port: ListenPort.optional(),
      /** As `dataApi` has it: whether apps reach the tables that are made from now on. */
      new_tables: z.enum(newTablesChoices).default('private'),
      ...firstSigningKey,
    }),
    returns: Project.extend({ anon_key: z.string(), service_key: z.string() }),
  }),
  detail: endpoint('projects.detail', 'GET /platform/projects/:ref', {
    needs: inProject('read:Read', 'projects'),
    input: ByRef,
    returns: Project,
  }),
  update: endpoint('projects.update', 'PATCH /platform/projects/:ref', {
    needs: inProject('write:Update', 'projects'),
    input: ByRef.extend({ name: displayName(3, 64) }),
    returns: Project,
  }),
  remove: endpoint('projects.remove', 'DELETE /platform/projects/:ref', {
    needs: inProject('write:Delete', 'projects'),
    input: ByRef,
    returns: Project,
  }),
  status: endpoint('projects.status', 'GET /platform/projects/:ref/status', {
    needs: inProject('read:Read', 'projects'),
    input: ByRef,
    returns: z.object({ status: z.enum(projectStatuses) }),
  }),
  pause: endpoint('projects.pause', 'POST /platform/projects/:ref/pause', {
    needs: inProject('infra:Execute', 'queue_jobs.projects.pause'),
    input: ByRef,
    returns: Project,
  }),
  restore: endpoint('projects.restore', 'POST /platform/projects/:ref/restore', {
    needs: inProject('infra:Execute', 'queue_jobs.projects.initialize_or_resume'),
    input: ByRef,
    returns: Project,
  }),
  restart: endpoint('projects.restart', 'POST /platform/projects/:ref/restart', {
    needs: inProject('infra:Execute', 'reboot'),
    input: ByRef,
    returns: Project,
  }),
  settings: endpoint('projects.settings', 'GET /platform/projects/:ref/settings', {
    needs: inProject('read:Read', 'projects'),
    input: ByRef,
    returns: ProjectSettings,
  }),
}
