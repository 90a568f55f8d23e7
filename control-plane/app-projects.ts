import { defaultProvider } from '#contract/projects/cloud-providers'
import { ourContent } from '#contract/operations/our-content'
import type { Jobs } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { createAccess } from './access/access.ts'
import type { assembleAuthConfig } from './app-auth-config.ts'
import type { assembleBilling } from './app-billing.ts'
import type { assembleKeys } from './app-keys.ts'
import { assembleRealtime } from './app-realtime.ts'
import type { RecordChange } from './organizations/audit/audit.ts'
import { acceptJob } from './operations/jobs/store.ts'
import { createExposedSchemas } from './data-api/data-api/data-api.ts'
import { settingsStore } from './data-api/data-api/settings-store.ts'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import { createListeners } from './operations/listeners/listeners.ts'
import { listenerRoutes } from './operations/listeners/routes.ts'
import { listenerStore } from './operations/listeners/store.ts'
import { createRunSql } from './database/pg-meta/run-sql.ts'
import { createAdoption } from './projects/projects/adopt.ts'
import { createChanges } from './projects/projects/changes.ts'
import { createDataApiStatus } from './projects/projects/data-api-status.ts'
import { createConnections } from './projects/projects/connections.ts'
import type { createHealth } from './projects/projects/health.ts'
import { assembleStorageAccess } from './app-storage-access.ts'
import { createMarkers } from './projects/projects/markers.ts'
import { createProjects } from './projects/projects/projects.ts'
import { projectRoutes } from './projects/projects/routes.ts'
import { createSettings } from './projects/projects/settings.ts'
import type { ProjectStore } from './projects/projects/store.ts'

type Parts = {
  db: Db
  options: ControlPlaneOptions
  store: ProjectStore
  record: RecordChange
  startJob: Jobs['start']
  health: Pick<ReturnType<typeof createHealth>, 'unknown'>
  access: Pick<ReturnType<typeof createAccess>, 'can' | 'hasFactor'>
  admission: Awaited<ReturnType<typeof assembleBilling>>['admission']
  isClone: (ref: string) => Promise<boolean>
  keys: ReturnType<typeof assembleKeys>
  auth: ReturnType<typeof assembleAuthConfig>
  log: Log
}

/** Projects: made, shown, changed, and told to the data planes. */
export async function assembleProjects(parts: Parts) {
  const { options, store, record, health, access, keys, auth, log } = parts
  const { secrets } = options
  const markers = createMarkers(secrets)
  const shaping = {
    projectUrl: options.projectUrl,
    databaseHost: options.databaseHost,
    keepsBackups: options.compute.backups !== undefined,
    unknown: health.unknown,
    upgradeFailure: (ref: string) => options.compute.upgradeFailure?.(ref),
    connectionMarker: markers.of,
  }
  const listeners = createListeners({
    store: listenerStore(parts.db),
    record,
    tell: store.tell,
    rules: options.listenPorts,
    dataPlaneUrl: options.dataPlaneUrl,
    internalToken: options.internalToken,
    log,
  })
  const projects = createProjects({
    store,
    record,
    acceptJob,
    startJob: parts.startJob,
    secrets,
    shaping,
    dataApiAnswers: createDataApiStatus({ dataPlaneUrl: options.dataPlaneUrl, log }),
    dbVersion: options.dbVersion,
    defaultProvider: defaultProvider(
      options.environment ?? 'production',
      (options.content ?? ourContent).cloud_providers,
    ),
    hasFactor: access.hasFactor,
    admission: parts.admission,
    isClone: parts.isClone,
    firstKeys: keys.first,
    checkPort: listeners.check,
  })
  const settings = createSettings({
    store,
    secrets,
    shaping,
    firstKeys: keys.oldestOf,
    exposedSchemas: createExposedSchemas(settingsStore(parts.db, createRunSql(options))),
    can: access.can,
  })
  const storage = assembleStorageAccess({ db: parts.db, record, tell: store.tell, options })
  const realtime = assembleRealtime({ db: parts.db, record, projects: store })
  const changes = createChanges(options.databaseConfig, log)
  await changes.open()
  const connection = createConnections({
    store,
    secrets,
    shaping,
    authSettings: auth.chosenBy,
    realtimeSettings: realtime.settingsOf,
    ...keys.forService,
    ...storage.forService,
  })
  return {
    projects,
    adopt: createAdoption({ store, compute: options.compute, newProject: projects.newProject }),
    settings,
    configs: { realtime: realtime.get, storage: storage.get },
    connection,
    isMarkerOf: markers.isOf,
    routes: [
      ...projectRoutes({ projects, settings: settings.get, connection, changes }),
      ...listenerRoutes(listeners),
      ...storage.routes,
      ...realtime.routes({ connection, keysOf: keys.oldestOf }),
    ],
    close: () => changes.close(),
  }
}
