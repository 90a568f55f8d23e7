import type { ProjectLimits, ProjectSpec } from '#compute/provider'
import { computeSizes } from '#contract/projects/compute-sizes'
import { machineVerifier } from '#kit/postgres/scram'
import type { Secrets } from '#kit/secrets'
import { projectIdentity, type ProjectSecrets } from './keys.ts'
import type { ProjectRow } from './store.ts'

export const secretsOf = (
  secrets: Secrets,
  { ref, sealed_secrets }: Pick<ProjectRow, 'ref' | 'sealed_secrets'>,
): ProjectSecrets =>
  // Written by newProjectSecrets and sealed since.
  JSON.parse(secrets.open(sealed_secrets, projectIdentity(ref))) as ProjectSecrets

/** What its compute size gives a project's server. */
export const limitsOf = ({ compute_size }: Pick<ProjectRow, 'compute_size'>): ProjectLimits => ({
  maxConnections: computeSizes[compute_size].directConnections,
})

/** What the provider makes a project's server from. */
export async function specOf(secrets: Secrets, row: ProjectRow): Promise<ProjectSpec> {
  const own = secretsOf(secrets, row)
  return {
    ref: row.ref,
    passwords: {
      postgres: own.dbPassword,
      service: await machineVerifier(own.servicePassword),
      admin: await machineVerifier(own.adminPassword),
    },
    newTables: row.new_tables,
    limits: limitsOf(row),
  }
}
