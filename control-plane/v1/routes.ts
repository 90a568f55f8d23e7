import type { AuthKey, AuthSettings } from '#contract/auth/auth-config-keys'
import type { Output, Parsed } from '#contract/endpoint'
import type { Member } from '#contract/organizations/members'
import {
  organizations as platformOrganizations,
  type Organization,
} from '#contract/organizations/organizations'
import {
  projects as platform,
  type Project,
  type ProjectListItem,
} from '#contract/projects/projects'
import type { ProjectStatus } from '#contract/projects/project-status'
import { roleNames } from '#contract/permissions'
import { aiTags } from '#contract/organizations/ai-opt-in'
import {
  databaseStatusOf,
  v1 as api,
  type V1Database,
  type V1Project,
  type V1ProjectWithDatabase,
} from '#contract/v1/v1'
import { implement, type Caller, type Origin } from '#kit/http'
import type { createServiceHealth } from './health.ts'
import { authChanges, v1AuthConfig, v1Key } from './auth-config.ts'

type ProjectList = Output<typeof platform.list>

/** What /v1 calls: the functions behind /platform, handed in by the app. */
export type V1Parts = {
  databaseHost: string
  organizations: {
    list: (caller: Caller) => Promise<Organization[]>
    get: (caller: Caller, slug: string) => Promise<Organization>
    members: (slug: string) => Promise<Member[]>
    create: (
      caller: Caller,
      input: Parsed<typeof platformOrganizations.create>,
      origin: Origin,
    ) => Promise<Organization>
  }
  projects: {
    list: (caller: Caller, input: Parsed<typeof platform.list>) => Promise<ProjectList>
    listOf: (
      caller: Caller,
      slug: string,
      page: Omit<Parsed<typeof api.organizationProjects>, 'slug'>,
    ) => Promise<ProjectList>
    brief: (ref: string) => Promise<ProjectListItem>
    status: (ref: string) => Promise<{ status: ProjectStatus }>
    create: (
      caller: Caller,
      input: Parsed<typeof platform.create>,
      origin: Origin,
    ) => Promise<Project>
    remove: (caller: Caller, ref: string, origin: Origin) => Promise<Project>
  }
  authConfigs: {
    get: (ref: string) => Promise<AuthSettings>
    update: (
      caller: Caller,
      ref: string,
      changes: ReturnType<typeof authChanges>,
      origin: Origin,
      naming: (key: AuthKey) => string,
    ) => Promise<AuthSettings>
  }
  health: ReturnType<typeof createServiceHealth>
}

const pageSize = 100

/** An app's token sees its own organization only. */
const sees = ({ limits }: Caller, slug: string) => !limits || limits.organizationSlug === slug

export const v1Routes = ({
  databaseHost,
  organizations,
  projects,
  authConfigs,
  health,
}: V1Parts) => [
  implement(api.organizations, async (_, caller) =>
    (await organizations.list(caller)).filter(({ slug }) => sees(caller, slug)).map(v1Organization),
  ),

  implement(api.createOrganization, async ({ name }, caller, origin) =>
    v1Organization(
      await organizations.create(caller, { name, kind: 'PERSONAL', tier: 'tier_free' }, origin),
    ),
  ),

  implement(api.organization, async ({ slug }, caller) => {
    const organization = await organizations.get(caller, slug)
    return {
      ...v1Organization(organization),
      plan: organization.plan.id,
      opt_in_tags: aiTags.filter((tag) => organization.opt_in_tags.includes(tag)),
      allowed_release_channels: ['ga' as const],
    }
  }),

  implement(api.members, async ({ slug }) =>
    (await organizations.members(slug)).map((member) => ({
      user_id: member.gotrue_id,
      user_name: member.username,
      email: member.primary_email,
      role_name: roleNames[(member.role_ids[0] ?? 0) - 1] ?? 'Member',
      mfa_enabled: member.mfa_enabled,
      avatar_url: null,
    })),
  ),

  implement(api.organizationProjects, async ({ slug, ...page }, caller) => {
    const { projects: found, pagination } = await projects.listOf(caller, slug, page)
    return { projects: found.map(inList), pagination }
  }),

  implement(api.projects, async (_, caller) => {
    const all: ProjectList['projects'] = []
    // Programs of this API know no pages.
    for (let page: ProjectList | undefined; !page || all.length < page.pagination.count;) {
      page = await projects.list(caller, { limit: pageSize, offset: all.length })
      all.push(...page.projects)
      // Some went away between two pages.
      if (page.projects.length === 0) break
    }
    return all
      .filter((project) => sees(caller, project.organization_slug))
      .map((project) => v1ProjectWithDatabase(project, databaseHost))
  }),

  implement(
    api.createProject,
    async ({ organization_id, organization_slug, region, ...rest }, caller, origin) => {
      // The contract lets nothing in that names neither.
      const slug = organization_slug ?? organization_id ?? ''
      const input = { ...rest, organization_slug: slug, db_region: region }
      const { needs } = platform.create
      if (typeof needs !== 'string') await caller.authorize(needs, input)
      return v1Project(await projects.create(caller, { ...input, cloud_provider: 'AWS' }, origin))
    },
  ),

  implement(api.project, async ({ ref }) =>
    v1ProjectWithDatabase(await projects.brief(ref), databaseHost),
  ),

  implement(api.removeProject, async ({ ref }, caller, origin) => {
    const { id, name } = await projects.remove(caller, ref, origin)
    return { id, ref, name }
  }),

  implement(api.authConfig, async ({ ref }) => v1AuthConfig(await authConfigs.get(ref))),

  implement(api.updateAuthConfig, async ({ ref, ...changes }, caller, origin) =>
    v1AuthConfig(await authConfigs.update(caller, ref, authChanges(changes), origin, v1Key)),
  ),

  implement(api.health, async ({ ref, services }) => {
    const { status } = await projects.status(ref)
    return health(ref, status, services)
  }),
]

const v1Organization = ({ slug, name }: Organization) => ({ id: slug, slug, name })

const v1Project = (project: Project | ProjectListItem): V1Project => ({
  id: project.ref,
  ref: project.ref,
  organization_id: project.organization_slug,
  organization_slug: project.organization_slug,
  name: project.name,
  region: project.region,
  created_at: project.inserted_at,
  status: project.status,
})

const inList = (project: ProjectListItem) => ({
  ref: project.ref,
  name: project.name,
  cloud_provider: project.cloud_provider,
  region: project.region,
  is_branch: false,
  status: project.status,
  inserted_at: project.inserted_at,
  databases: databasesOf(project),
})

/** A paused project has none. */
function databasesOf(project: ProjectListItem): V1Database[] {
  const status = databaseStatusOf[project.status]
  if (!status) return []
  return [
    {
      identifier: project.ref,
      type: 'PRIMARY',
      status,
      cloud_provider: project.cloud_provider,
      region: project.region,
      infra_compute_size: project.infra_compute_size,
    },
  ]
}

const v1ProjectWithDatabase = (
  project: Project | ProjectListItem,
  host: string,
): V1ProjectWithDatabase => ({
  ...v1Project(project),
  database: {
    host,
    version: project.dbVersion,
    postgres_engine: project.dbVersion.split('.')[0] ?? '',
    release_channel: 'ga',
  },
})
