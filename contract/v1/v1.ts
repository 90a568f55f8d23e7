import { z } from 'zod'
import { aiTags } from '../organizations/ai-opt-in.ts'
import { computeSizeIds } from '../projects/compute-sizes.ts'
import { v1AuthConfig } from '../auth/auth-config.ts'
import { newTablesChoices, v1DataApi } from '../data-api/data-api.ts'
import { endpoint } from '../endpoint.ts'
import { ListenPort } from '../operations/listeners.ts'
import { inOrganization, inProject } from '../permissions.ts'
import { planIds } from '../billing/plans.ts'
import { projectStatuses, type ProjectStatus } from '../projects/project-status.ts'
import { regionCodes } from '../projects/regions.ts'
import { firstSigningKey } from '../projects/signing-keys.ts'
import { v1Absent } from './v1-absent.ts'
import { v1LoginRoles } from './v1-login-roles.ts'
import { v1Upgrades } from './v1-upgrades.ts'
import { v1Branches } from './v1-branches.ts'
import { v1Replicas } from './v1-replicas.ts'
import { v1Analytics } from './v1-analytics.ts'
import { v1Billing } from './v1-billing.ts'
import { v1Config } from './v1-config.ts'
import { v1Database } from './v1-database.ts'
import { v1Domains } from './v1-domains.ts'
import { v1Functions } from './v1-functions.ts'
import { v1Installation } from './v1-installation.ts'
import { v1LogDrains } from './v1-log-drains.ts'
import { v1Logs } from './v1-logs.ts'
import { v1Network } from './v1-network.ts'
import { v1Postgres } from './v1-postgres.ts'
import { v1ProjectLife } from './v1-project-life.ts'
import { v1Secrets } from './v1-secrets.ts'
import { v1Snippets } from './v1-snippets.ts'
import { v1Sso } from './v1-sso.ts'
import { displayName, Instant, pageInput, Pagination, ProjectRef, Slug } from '../values.ts'

/** An organization is called by its slug here, also in `id`. */
const V1Organization = z.object({ id: z.string(), slug: Slug, name: z.string() })

const V1Member = z.object({
  user_id: z.string(),
  user_name: z.string(),
  email: z.string(),
  role_name: z.string(),
  mfa_enabled: z.boolean(),
  /** People have no picture here. */
  avatar_url: z.null(),
})

const V1Project = z.object({
  /** The ref; so is `ref`. */
  id: z.string(),
  ref: ProjectRef,
  /** The slug; so is `organization_slug`. */
  organization_id: z.string(),
  organization_slug: Slug,
  name: z.string(),
  region: z.string(),
  created_at: Instant,
  status: z.enum(projectStatuses),
})
export type V1Project = z.infer<typeof V1Project>

const V1ProjectWithDatabase = V1Project.extend({
  database: z.object({
    host: z.string(),
    version: z.string(),
    postgres_engine: z.string(),
    release_channel: z.string(),
  }),
})
export type V1ProjectWithDatabase = z.infer<typeof V1ProjectWithDatabase>

/** What the database of a project is, in the words of the public API, which has fewer for it than for projects; a paused one has none. */
export const databaseStatusOf = {
  ACTIVE_HEALTHY: 'ACTIVE_HEALTHY',
  ACTIVE_UNHEALTHY: 'ACTIVE_UNHEALTHY',
  COMING_UP: 'COMING_UP',
  GOING_DOWN: 'GOING_DOWN',
  INIT_FAILED: 'INIT_FAILED',
  REMOVED: 'REMOVED',
  RESTORING: 'RESTORING',
  UNKNOWN: 'UNKNOWN',
  RESTARTING: 'RESTARTING',
  RESIZING: 'RESIZING',
  UPGRADING: 'RESTARTING',
  PAUSING: 'GOING_DOWN',
  INACTIVE: undefined,
  PAUSE_FAILED: undefined,
  RESTORE_FAILED: undefined,
} as const satisfies Record<ProjectStatus, string | undefined>
const databaseStatuses = Object.values(databaseStatusOf).filter((one) => one !== undefined)
const V1Database = z.object({
  identifier: z.string(),
  type: z.literal('PRIMARY'),
  status: z.enum(databaseStatuses),
  cloud_provider: z.string(),
  region: z.string(),
  infra_compute_size: z.enum(computeSizeIds),
})
export type V1Database = z.infer<typeof V1Database>

export const v1HealthServices = ['auth', 'db', 'realtime', 'rest', 'storage'] as const
const servicesUnlessTold = ['auth', 'db', 'rest']
const V1Health = z.object({
  name: z.enum(v1HealthServices),
  healthy: z.boolean(),
  status: z.enum(['COMING_UP', 'ACTIVE_HEALTHY', 'UNHEALTHY']),
  error: z.string().optional(),
})
export type V1Health = z.infer<typeof V1Health>

const BySlug = z.object({ slug: Slug })
const ByRef = z.object({ ref: ProjectRef })

/**
 * The management API of command line tools, infrastructure scripts and agents (facts §4.2): the same functions as
 * /platform, in the shapes that those programs know.
 */
export const v1 = {
  /** This part of the contract, for programs that make clients of it. */
  openapi: endpoint('v1.openapi', 'GET /v1/openapi.json', {
    needs: 'anyone',
    input: z.object({}),
    returns: z.record(z.string(), z.unknown()),
  }),
  /** The same where programs of this kind of API look for it. */
  openapiAlias: endpoint('v1.openapiAlias', 'GET /api/v1-json', {
    needs: 'anyone',
    input: z.object({}),
    returns: z.record(z.string(), z.unknown()),
  }),
  /** Whose token it is. */
  profile: endpoint('v1.profile', 'GET /v1/profile', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.object({ gotrue_id: z.string(), primary_email: z.string(), username: z.string() }),
  }),
  organizations: endpoint('v1.organizations', 'GET /v1/organizations', {
    needs: 'signed-in',
    appScope: 'organizations:read',
    input: z.object({}),
    returns: z.array(V1Organization),
  }),
  /** On the free plan; which plan it has later is a matter of bills, and no program's. */
  createOrganization: endpoint('v1.createOrganization', 'POST /v1/organizations', {
    needs: 'signed-in',
    perMinute: 30,
    status: 201,
    input: z.object({ name: displayName(1, 64) }),
    returns: V1Organization,
  }),
  organization: endpoint('v1.organization', 'GET /v1/organizations/:slug', {
    needs: inOrganization('read:Read', 'organizations'),
    input: BySlug,
    returns: V1Organization.extend({
      plan: z.enum(planIds),
      opt_in_tags: z.array(z.enum(aiTags)),
      allowed_release_channels: z.array(z.literal('ga')),
    }),
  }),
  members: endpoint('v1.members', 'GET /v1/organizations/:slug/members', {
    needs: inOrganization('read:Read', 'members'),
    input: BySlug,
    returns: z.array(V1Member),
  }),
  organizationProjects: endpoint(
    'v1.organizationProjects',
    'GET /v1/organizations/:slug/projects',
    {
      needs: inOrganization('read:Read', 'projects.list'),
      input: BySlug.extend({ ...pageInput, search: z.string().max(100).optional() }),
      returns: z.object({
        projects: z.array(
          z.object({
            ref: z.string(),
            name: z.string(),
            cloud_provider: z.string(),
            region: z.string(),
            is_branch: z.boolean(),
            status: z.enum(projectStatuses),
            inserted_at: z.string(),
            /** The one that it is; replicas have an address of their own. */
            databases: z.array(V1Database),
          }),
        ),
        pagination: Pagination,
      }),
    },
  ),
  projects: endpoint('v1.projects', 'GET /v1/projects', {
    needs: 'signed-in',
    appScope: 'projects:read',
    input: z.object({}),
    returns: z.array(V1ProjectWithDatabase),
  }),
  /** Which organization it goes to is said in two ways, so its handler asks for the permission of `projects.create`. */
  createProject: endpoint('v1.createProject', 'POST /v1/projects', {
    needs: 'signed-in',
    appScope: 'projects:write',
    status: 201,
    perMinute: 120,
    input: z
      .object({
        name: displayName(3, 64),
        organization_id: Slug.optional(),
        organization_slug: Slug.optional(),
        db_pass: z.string().min(1).max(99, 'Password should be less than 100 characters'),
        region: z.enum(regionCodes),
        /** The smallest that the plan offers unless told. */
        desired_instance_size: z.enum(computeSizeIds).optional(),
        listen_port: ListenPort.optional(),
        new_tables: z.enum(newTablesChoices).default('private'),
        ...firstSigningKey,
      })
      .refine((input) => input.organization_id ?? input.organization_slug, {
        path: ['organization_slug'],
        message: 'must name an organization',
      }),
    returns: V1Project,
  }),
  project: endpoint('v1.project', 'GET /v1/projects/:ref', {
    needs: inProject('read:Read', 'projects'),
    input: ByRef,
    returns: V1ProjectWithDatabase,
  }),
  removeProject: endpoint('v1.removeProject', 'DELETE /v1/projects/:ref', {
    needs: inProject('write:Delete', 'projects'),
    input: ByRef,
    returns: z.object({ id: z.int(), ref: z.string(), name: z.string() }),
  }),
  health: endpoint('v1.health', 'GET /v1/projects/:ref/health', {
    needs: inProject('read:Read', 'projects'),
    input: ByRef.extend({
      /** Joined by commas, or one after the other. */
      services: z
        .union([z.string(), z.array(z.string()).max(100)])
        .default(servicesUnlessTold)
        .transform((given) => [given].flat().flatMap((text) => text.split(',')))
        .pipe(z.array(z.enum(v1HealthServices)).min(1).max(100)),
    }),
    returns: z.array(V1Health),
  }),
  ...v1Absent,
  ...v1LoginRoles,
  ...v1Upgrades,
  ...v1Branches,
  ...v1Replicas,
  ...v1Analytics,
  ...v1Billing,
  ...v1Config,
  ...v1Database,
  ...v1Domains,
  ...v1Functions,
  ...v1Installation,
  ...v1LogDrains,
  ...v1Logs,
  ...v1Network,
  ...v1Postgres,
  ...v1ProjectLife,
  ...v1Secrets,
  ...v1Snippets,
  ...v1Sso,
  ...v1AuthConfig,
  ...v1DataApi,
}
