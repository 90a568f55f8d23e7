import { internal } from './internal-api.ts'
import { mailbox } from './mailbox.ts'
import { organizations } from './organizations.ts'
import { pgMeta } from './pg-meta.ts'
import { platform } from './platform.ts'
import { profile } from './profile.ts'
import { projects } from './projects.ts'
import { snippets } from './snippets.ts'
import { sqlQuery } from './sql-query.ts'
import { tableRows } from './table-rows.ts'

/** The whole platform API, by feature. The dashboard imports the features it needs, not this. */
export const api = {
  platform,
  profile,
  organizations,
  projects,
  snippets,
  pgMeta,
  sqlQuery,
  tableRows,
  mailbox,
  internal,
}
