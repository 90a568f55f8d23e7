import type { DatabaseTables } from './tables-database.ts'
import type { DomainsTables } from './tables-domains.ts'
import type { ObservabilityTables } from './tables-observability.ts'
import type { OperationsTables } from './tables-operations.ts'
import type { OrganizationsTables } from './tables-organizations.ts'
import type { PeopleTables } from './tables-people.ts'
import type { ProjectsTables } from './tables-projects.ts'
import type { ServicesTables } from './tables-services.ts'
import type { UsageTables } from './tables-usage.ts'

export type { ProjectAddress } from './tables-projects.ts'

/** The platform database as the stores see it; migrations/ is what makes it so, and a test compares the two. */
export type Tables = PeopleTables &
  OrganizationsTables &
  ProjectsTables &
  DomainsTables &
  ServicesTables &
  DatabaseTables &
  ObservabilityTables &
  UsageTables &
  OperationsTables
