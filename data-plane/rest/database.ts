import type { OpenProject } from '../projects/open-project.ts'

/** A database, as the data API needs it. The same object stands for it as long as it is open. */
export type Database = Pick<OpenProject, 'run' | 'dedicated' | 'onClose' | 'closed'> &
  Partial<Pick<OpenProject, 'runOnReplica'>>

/** A project's own. */
export type ProjectDatabase = Database & Pick<OpenProject, 'connection' | 'limitConnections'>

/** The login that may read the catalogs and belongs to no request. */
export const catalogRole = 'authenticator'
