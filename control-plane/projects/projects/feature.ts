import { defaultProvider } from '#contract/projects/cloud-providers'
import { ourContent } from '#contract/operations/our-content'
import { createServiceFault } from '../../data-plane/service-fault.ts'
import type { Platform } from '../../platform.ts'
import { createAdoption } from './adopt.ts'
import { createChanges } from './changes.ts'
import { createConnections } from './connections.ts'
import { createDataApiStatus } from './data-api-status.ts'
import { createMarkers } from './markers.ts'
import { createProjects, type ProjectsDeps } from './projects.ts'
import { projectRoutes } from './routes.ts'
import { createSettings } from './settings.ts'

type Connections = Parameters<typeof createConnections>[0]
type Settings = Parameters<typeof createSettings>[0]
type Needs = Pick<ProjectsDeps, 'admission' | 'isClone' | 'firstKeys' | 'checkPort'> & {
  /** What each service of a project is told. */
  services: Omit<Connections, 'store' | 'secrets' | 'shaping'>
  oldestKeys: Settings['firstKeys']
  exposedSchemas: Settings['exposedSchemas']
  /** Whether it is not known how a project is. */
  unknown: (ref: string) => boolean
}

/** Projects: made, shown, changed, and told to the data planes. */
export async function projectsFeature(platform: Platform, needs: Needs) {
  const { projects: store, record, jobs, access, secrets, compute, log } = platform
  const { projectUrl, databaseHost, dataPlane, dbVersion } = platform
  const { environment = 'production', content = ourContent } = platform
  const { services, oldestKeys, exposedSchemas, unknown, ...making } = needs
  const markers = createMarkers(secrets)
  const shaping = {
    projectUrl,
    databaseHost,
    keepsBackups: compute.backups !== undefined,
    upgradeFailure: (ref: string) => compute.upgradeFailure?.(ref),
    unknown,
    connectionMarker: markers.of,
  }
  const projects = createProjects({
    store,
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
    secrets,
    shaping,
    dataApiAnswers: createDataApiStatus(createServiceFault(dataPlane, log)),
    dbVersion,
    defaultProvider: defaultProvider(environment, content.cloud_providers),
    hasFactor: access.hasFactor,
    ...making,
  })
  const settings = createSettings({
    store,
    secrets,
    shaping,
    firstKeys: oldestKeys,
    exposedSchemas,
    can: access.can,
  })
  const changes = createChanges(platform.databaseConfig, log)
  await changes.open()
  const connection = createConnections({ store, secrets, shaping, ...services })
  return {
    projects,
    jwtSecret: settings.jwtSecret,
    connection,
    isMarkerOf: markers.isOf,
    adopt: createAdoption({ store, compute, newProject: projects.newProject }),
    routes: projectRoutes({ projects, settings: settings.get, connection, changes }),
    close: () => changes.close(),
  }
}
