import type { Provider } from '#compute/provider'
import { api } from '#contract/api'
import type { Endpoint } from '#contract/endpoint'
import type { Route } from '#kit/http'
import type { Job, JobHandler, Jobs } from '#kit/jobs'
import type { EachSubject, Failing } from '#kit/subjects'
import { createSubjects } from '#kit/subjects'
import type { Access } from './access/access.ts'
import { createRoundBook, type Round, type RoundBook } from './operations/rounds/round-book.ts'
import { acceptJob } from './operations/jobs/store.ts'
import type { RecordChange } from './organizations/audit/audit.ts'
import { createAudited, type Audited } from './audited.ts'
import { createDataPlane, type DataPlane } from './data-plane/client.ts'
import type { ControlPlaneOptions } from './options.ts'
import type { Db } from './platform-database/database.ts'
import type { ProjectStore } from './projects/projects/store.ts'

/**
 * What every feature is built on: the settings of the installation, and what they are used with. A feature takes from it what
 * it works with, and gets by name what another feature has to give.
 */
export type Platform = Omit<
  ControlPlaneOptions,
  'database' | 'now' | 'dataPlaneUrl' | 'internalToken'
> & {
  db: Db
  /** The rows of projects, which nearly everything is about. */
  projects: ProjectStore
  /** Writes an audit entry in the transaction of the change, and the news that follow from it. */
  record: RecordChange
  /** Changes a project, with the audit entry and the notice to the data planes. */
  audited: Audited
  access: Access
  /** What runs the services of projects. */
  dataPlane: DataPlane
  jobs: {
    /** Writes a job down in the caller's transaction. */
    accept: typeof acceptJob
    /** Starts an accepted job, once the transaction is committed. */
    start: (job: Job) => Promise<void>
  }
  /** Looks after each subject of a round by itself. */
  each: EachSubject
  /** What rounds did the last time, and how long it took. */
  roundBook: RoundBook
  /** Subjects of rounds that could not be looked after the last time. */
  failing: () => Failing[]
  now: () => Date
  /** All that there is in the contract. */
  endpoints: readonly Endpoint[]
}

/** What there is before it is known who may enter; whoever decides that is built on this. */
export type PlatformBase = Omit<Platform, 'access'>

/** Work that is done again and again, `seconds` after it was done the last time. */
export type { Round }

/** What a feature gives to the platform; what others may need of it stands beside this. */
export type Feature = {
  routes?: Route[]
  workflows?: Record<string, JobHandler>
  rounds?: Round[]
  close?: () => Promise<void>
}

type BaseParts = {
  options: ControlPlaneOptions
  compute: Provider
  projects: ProjectStore
  record: RecordChange
  /** Whether this program does what one does for all. */
  leads: () => boolean
  /** Known once every feature has said what work it has. */
  startJob: Jobs['start']
}

export function createPlatformBase(parts: BaseParts): PlatformBase {
  const { options, compute, projects, record, startJob, leads } = parts
  const { database, now = () => new Date(), dataPlaneUrl, internalToken, ...settings } = options
  const { each, failing } = createSubjects(settings.log, undefined, () => now().getTime())
  return {
    ...settings,
    compute,
    dataPlane: createDataPlane({ dataPlaneUrl, internalToken, log: settings.log }),
    db: database.db,
    projects,
    record,
    audited: createAudited({ db: database.db, record, notify: projects.notify }),
    jobs: { accept: acceptJob, start: startJob },
    each,
    failing,
    roundBook: createRoundBook(now, leads),
    now,
    endpoints: Object.values(api).flatMap((feature): Endpoint[] => Object.values(feature)),
  }
}
