import type { OpenProject } from '../projects/open-project.ts'

/** A project's database, as the data API needs it. The same object stands for the project as long as it is open. */
export type Database = Pick<OpenProject, 'run' | 'dedicated' | 'onClose' | 'closed' | 'connection'>

/** The login that may read the catalogs and belongs to no request. */
export const catalogRole = 'authenticator'
