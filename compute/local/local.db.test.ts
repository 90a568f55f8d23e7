import { providerConformance } from '../testing/conformance.ts'
import { grantedProjectSql } from '../testing/granted-project-sql.ts'
import { localHarness } from '../testing/local.ts'

providerConformance('local', async () => localHarness({ sql: await grantedProjectSql() }))
