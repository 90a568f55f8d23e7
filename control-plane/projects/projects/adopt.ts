import type { Provider } from '#compute/provider'
import {
  computeSizeIds,
  sizeOfConnections,
  type ComputeSizeId,
} from '#contract/projects/compute-sizes'
import type { ProjectStatus } from '#contract/projects/project-status'
import { ApiError } from '#kit/errors'
import { newSecret } from '#kit/ids'
import type { Job } from '#kit/jobs'
import { machineVerifier } from '#kit/postgres/scram'
import type { Tx } from '../../platform-database/database.ts'
import { newProjectSecrets } from './keys.ts'
import type { InsertProject } from './new-project.ts'
import type { ProjectStore } from './store.ts'

type Deps = {
  store: Pick<ProjectStore, 'organizationId'>
  compute: Pick<Provider, 'inspect' | 'adopt'>
  newProject: InsertProject
}
type Adoption = {
  ref: string
  organization_slug: string
  name: string
  region: string
  sealing_ref?: string | undefined
}

/** The smallest of all is whatever the plan begins with. */
function sizeFor(connections: number): ComputeSizeId | undefined {
  const size = sizeOfConnections(connections)
  return size === computeSizeIds[0] ? undefined : size
}

/**
 * Gives a project that is there, and has no row any more, a row in an organization. Its passwords and keys were known to
 * the lost row alone, so it gets new ones; its data, its users and what it stores are as they were.
 */
export const createAdoption =
  ({ store, compute, newProject }: Deps) =>
  async (
    tx: Tx,
    { ref, organization_slug: slug, sealing_ref: sealingRef, ...row }: Adoption,
  ): Promise<{ organizationId: string; job: Job; status: ProjectStatus }> => {
    const organizationId = await store.organizationId(tx, slug)
    if (!organizationId) throw new ApiError('organization_not_found')
    const seen = await compute.inspect(ref)
    if (!compute.adopt || seen.state === 'absent') throw new ApiError('not_adoptable')
    if (seen.state === 'unknown') throw new ApiError('not_adoptable', seen.reason)
    const made = await newProjectSecrets(ref, newSecret(), new Date())
    // Within the transaction: the row is there only if its server has these passwords, and the other way round.
    const { limits } = await compute.adopt({
      ref,
      passwords: {
        postgres: made.dbPassword,
        service: await machineVerifier(made.servicePassword),
        admin: await machineVerifier(made.adminPassword),
      },
    })
    const { job } = await newProject(tx, 'project.resume', {
      ...row,
      ref,
      organizationId,
      // The operator, who is no member.
      callerId: '',
      size: sizeFor(limits.maxConnections),
      cloud_provider: 'AWS',
      listen_port: null,
      sealing_ref: sealingRef ?? null,
      made,
    })
    return { organizationId, job, status: 'RESTORING' }
  }
