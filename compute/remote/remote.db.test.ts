import { providerConformance } from '../testing/conformance.ts'
import { grantedProjectSql } from '../testing/granted-project-sql.ts'
import { remoteHarness } from '../testing/remote.ts'

providerConformance('of an agent', async () => remoteHarness({ sql: await grantedProjectSql() }))
