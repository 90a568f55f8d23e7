import type { Platform } from '../../platform.ts'
import { createOrganizations } from './organizations.ts'
import { organizationRoutes } from './routes.ts'
import { organizationStore } from './store.ts'

type Needs = Omit<Parameters<typeof createOrganizations>[0], 'store' | 'record'> & {
  projectsOf: Parameters<typeof organizationRoutes>[1]
}

export function organizationsFeature({ db, record }: Platform, { projectsOf, ...needs }: Needs) {
  const organizations = createOrganizations({ store: organizationStore(db), record, ...needs })
  return { organizations, routes: organizationRoutes(organizations, projectsOf) }
}
