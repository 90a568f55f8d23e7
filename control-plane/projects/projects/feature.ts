import { defaultProvider } from '#contract/projects/cloud-providers'
import { ourContent } from '#contract/operations/our-content'
import { createServiceFault } from '../../data-plane/service-fault.ts'
import type { Platform } from '../../platform.ts'
import { createAdoption } from './adopt.ts'
import { createChanges, type Changes } from './changes.ts'
import { createConnections } from './connections.ts'
import { createDataApiStatus } from './data-api-status.ts'
import { createProjects, type ProjectsDeps, type Projects } from './projects.ts'
import { createSettings } from './settings.ts'
import type { Secrets } from '#kit/secrets'
import type { ProjectConnection } from '#contract/internal'
import { internal } from '#contract/internal-api'
import { projects as api, type ProjectSettings } from '#contract/projects/projects'
import { implement, implementOpen, implementRaw, type Caller } from '#kit/http'

type Connections = Parameters<typeof createConnections>[0]
type Settings = Parameters<typeof createSettings>[0]
type Needs = Pick<ProjectsDeps, 'admission' | 'creationOf' | 'firstKeys' | 'checkPort'> & {
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
  const { environment = 'production', content = ourContent, trashDays = 0, now } = platform
  const { services, oldestKeys, exposedSchemas, unknown, ...making } = needs
  const markers = createMarkers(secrets)
  const shaping = {
    projectUrl,
    databaseHost,
    names: compute.names ?? { customer: 'postgres', database: 'postgres' },
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
    trashDays,
    now,
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
    settings: settings.get,
    connection,
    isMarkerOf: markers.isOf,
    adopt: createAdoption({ store, compute, newProject: projects.newProject }),
    routes: projectRoutes({ projects, settings: settings.get, connection, changes }),
    close: () => changes.close(),
  }
}

const identity = (ref: string) => `connection:${ref}`

/**
 * The opaque `connectionString` that metadata calls carry. One per project while this process lives: a new one at each
 * answer would look like a change.
 */
function createMarkers(secrets: Secrets) {
  const known = new Map<string, string>()
  return {
    of(ref: string): string {
      const marker = known.get(ref) ?? secrets.seal(ref, identity(ref))
      known.set(ref, marker)
      return marker
    },
    isOf(marker: string, ref: string): boolean {
      try {
        return secrets.open(marker, identity(ref)) === ref
      } catch {
        // Any text that does not open is not a marker; why it does not is nobody's business.
        return false
      }
    },
  }
}

type Parts = {
  projects: Projects
  settings: (caller: Caller, ref: string) => Promise<ProjectSettings>
  connection: (ref: string) => Promise<ProjectConnection>
  changes: Changes
}

const projectRoutes = ({ projects, settings, connection, changes }: Parts) => [
  implement(api.list, (input, caller) => projects.list(caller, input)),
  implement(api.create, (input, caller, origin) => projects.create(caller, input, origin)),
  implement(api.detail, ({ ref }) => projects.get(ref)),
  implement(api.update, ({ ref, name }, caller, origin) =>
    projects.rename(caller, ref, name, origin),
  ),
  implement(api.remove, ({ ref }, caller, origin) => projects.remove(caller, ref, origin)),
  implement(api.status, ({ ref }) => projects.status(ref)),
  implement(api.pause, ({ ref }, caller, origin) => projects.pause(caller, ref, origin)),
  implement(api.restore, ({ ref }, caller, origin) => projects.restore(caller, ref, origin)),
  implement(api.restart, ({ ref }, caller, origin) => projects.restart(caller, ref, origin)),
  implement(api.settings, ({ ref }, caller) => settings(caller, ref)),
  implementOpen(internal.project, ({ ref }) => connection(ref)),
  implementRaw(internal.changes, async (_input, _caller, { reply }) =>
    reply.type('application/x-ndjson').send(changes.stream()),
  ),
]
