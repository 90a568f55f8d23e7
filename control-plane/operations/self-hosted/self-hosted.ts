import type { Provider } from '#compute/provider'
import { selfHostedWorld } from '#contract/operations/platform-only'
import { machineVerifier } from '#kit/postgres/scram'
import type { Secrets } from '#kit/secrets'
import type { Tx } from '../../platform-database/database.ts'
import type { SelfHostedStore } from './store.ts'

/** The parts of a project's secrets that the database is given. */
type Known = { servicePassword: string; adminPassword: string }
type Deps = {
  store: SelfHostedStore
  secrets: Secrets
  compute: Provider
  /** New secrets of the project, and whom they are sealed for. */
  newSecrets: (ref: string) => Promise<Known>
  identityOf: (ref: string) => string
  /** The keys that a project begins with. */
  addKeys: (tx: Tx, projectId: string) => Promise<void>
  /** Where nobody runs the installation yet, this person does. */
  beFirstOperator: (tx: Tx, userId: string) => Promise<void>
  /** The database answers and has what the services need: the project is shown so. */
  settle: (address: Awaited<ReturnType<Provider['create']>>) => Promise<void>
}
type Start = { admin: { userId: string; email: string }; projectName: string; dbVersion: string }

const { organizationSlug, organizationName, projectRef } = selfHostedWorld

/**
 * Makes the one organization and project of self-hosted mode where they are missing, and gives the database what the
 * services need. Runs at every start and may be repeated. Rejects where the database cannot be used.
 */
export function createSelfHosted({ store, secrets, compute, newSecrets, ...deps }: Deps) {
  async function ensureRows({ admin, projectName, dbVersion }: Start): Promise<Known> {
    const made = await newSecrets(projectRef)
    return store.transaction(async (tx) => {
      await store.addProfile(tx, {
        user_id: admin.userId,
        auth0_id: `email|${admin.userId}`,
        username: admin.email.split('@')[0] || 'admin',
        primary_email: admin.email,
      })
      const organizationId = await store.addOrganization(tx, {
        slug: organizationSlug,
        name: organizationName,
        kind: 'UNDISCLOSED',
        size: null,
        tier: 'tier_enterprise',
        billing_email: null,
      })
      await store.addOwner(tx, organizationId, admin.userId)
      await deps.beFirstOperator(tx, admin.userId)
      const known = await store.project(tx)
      if (known) {
        await store.setVersion(tx, dbVersion)
        // Made by an earlier version, which gave it none.
        if (!(await store.hasKeys(tx, known.id))) await deps.addKeys(tx, known.id)
        // Written by newProjectSecrets and sealed since.
        return JSON.parse(secrets.open(known.sealed_secrets, deps.identityOf(projectRef))) as Known
      }
      const projectId = await store.addProject(tx, {
        ref: projectRef,
        organization_id: organizationId,
        name: projectName,
        status: 'COMING_UP',
        job_id: null,
        failure: null,
        region: 'local',
        cloud_provider: 'localhost',
        compute_size: 'nano',
        db_version: dbVersion,
        db_address: null,
        sealed_secrets: secrets.seal(JSON.stringify(made), deps.identityOf(projectRef)),
      })
      await deps.addKeys(tx, projectId)
      return made
    })
  }

  return async (start: Start): Promise<void> => {
    const known = await ensureRows(start)
    const address = await compute.create({
      ref: projectRef,
      passwords: {
        // Its operator's own; it is never changed from here.
        postgres: '',
        service: await machineVerifier(known.servicePassword),
        admin: await machineVerifier(known.adminPassword),
      },
      limits: { maxConnections: 60 },
    })
    await deps.settle(address)
  }
}
