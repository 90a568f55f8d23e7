import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import { scramVerifier } from '#kit/postgres/scram'
import type { RecordChange } from '../audit/audit.ts'
import type { Tx } from '../database/database.ts'
import type { DatabasePasswordStore } from './store.ts'

type Deps = {
  store: DatabasePasswordStore
  record: RecordChange
  /** The project's sealed secrets with another password in them. */
  reseal: (ref: string, sealed: string, password: string) => string
  /** Gives the database's owner this verifier. */
  apply: (ref: string, verifier: string) => Promise<void>
  /** Tells the data planes, when the transaction commits. */
  tell: (tx: Tx, ref: string) => Promise<void>
}

/** A new password for the database's owner: in the database, in what the platform keeps, and in the audit log, or in none. */
export const createDatabasePassword =
  ({ store, record, reseal, apply, tell }: Deps) =>
  async (
    caller: Caller,
    ref: string,
    password: string,
    origin: Origin,
  ): Promise<{ ref: string }> => {
    // As a verifier, so that the password itself passes through no log and no other program.
    const verifier = await scramVerifier(password)
    await store.transaction(async (tx) => {
      const project = await store.lock(tx, ref)
      if (!project) throw new ApiError('project_not_found')
      await store.setSecrets(tx, ref, reseal(ref, project.sealed_secrets, password))
      await record(tx, {
        organizationId: project.organization_id,
        actor: caller,
        action: 'database-password.set',
        target: `project:${ref}`,
        change: {},
        origin,
      })
      await tell(tx, ref)
      await apply(ref, verifier)
    })
    return { ref }
  }
