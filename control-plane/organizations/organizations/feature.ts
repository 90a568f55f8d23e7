import type { Platform } from '../../platform.ts'
import { createOrganizations, type Organizations } from './organizations.ts'
import { organizationStore } from './store.ts'
import type { Output, Parsed } from '#contract/endpoint'
import { organizations as api } from '#contract/organizations/organizations'
import { implement, type Caller } from '#kit/http'

type Needs = Omit<Parameters<typeof createOrganizations>[0], 'store' | 'record'> & {
  projectsOf: Parameters<typeof organizationRoutes>[1]
}

export function organizationsFeature({ db, record }: Platform, { projectsOf, ...needs }: Needs) {
  const organizations = createOrganizations({ store: organizationStore(db), record, ...needs })
  return { organizations, routes: organizationRoutes(organizations, projectsOf) }
}

type ProjectsOf = (
  input: Parsed<typeof api.projects>,
  caller: Caller,
) => Promise<Output<typeof api.projects>>

const organizationRoutes = (organizations: Organizations, projectsOf: ProjectsOf) => [
  implement(api.list, (_, caller) => organizations.list(caller)),
  implement(api.create, (input, caller, origin) => organizations.create(caller, input, origin)),
  implement(api.detail, ({ slug }, caller) => organizations.get(caller, slug)),
  implement(api.update, ({ slug, ...change }, caller, origin) =>
    organizations.update(caller, slug, change, origin),
  ),
  implement(api.remove, ({ slug }, caller, origin) => organizations.remove(caller, slug, origin)),
  implement(api.projects, (input, caller) => projectsOf(input, caller)),
]
