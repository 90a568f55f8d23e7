import type { Organization } from '#contract/organizations/organizations'
import type { Project, ProjectListItem } from '#contract/projects/projects'
import type { V1Project, V1ProjectWithDatabase } from '#contract/v1/v1'

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
