import type { Organization } from '#contract/organizations'
import type { Project, ProjectListItem, ProjectSettings } from '#contract/projects'
import type { V1Project, V1ProjectWithDatabase } from '#contract/v1'

export const v1Organization = ({ slug, name }: Organization) => ({ id: slug, slug, name })

export const v1Project = (project: Project | ProjectListItem): V1Project => ({
  id: project.ref,
  ref: project.ref,
  organization_id: project.organization_slug,
  organization_slug: project.organization_slug,
  name: project.name,
  region: project.region,
  created_at: project.inserted_at,
  status: project.status,
})

export const v1ProjectWithDatabase = (
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

/** The keys that settings show to this caller, under the names that programs look for. */
export const v1ApiKeys = ({ service_api_keys: keys }: ProjectSettings) =>
  keys.map(({ api_key, tags }) => ({
    id: tags,
    name: tags,
    type: 'legacy' as const,
    api_key,
    prefix: api_key.slice(0, 8),
    description: `Legacy ${tags} API key`,
  }))
