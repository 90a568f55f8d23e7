import { ApiError } from '#kit/errors'
import { failpoint } from '#kit/failpoints'
import type { Caller, Origin } from '#kit/http'
import { scramVerifier } from '#kit/postgres/scram'
import type { EachSubject } from '#kit/subjects'
import type { Audited } from '../../audited.ts'
import type { DatabasePasswordStore } from './store.ts'

type Deps = {
  store: DatabasePasswordStore
  audited: Audited
  /** The project's sealed secrets with another password in them. */
  reseal: (ref: string, sealed: string, password: string) => string
  /** The one in such secrets. */
  passwordOf: (ref: string, sealed: string) => string
  /** Gives the database's owner this verifier. */
  apply: (ref: string, verifier: string) => Promise<void>
  each: EachSubject
}

/**
 * A new password for the database's owner: in the database, in what the platform keeps, and in the audit log, or in none.
 * That it is being changed is written down before the database is told; where the change is cut short after that, `settle`
 * gives the database the password back that the platform knows.
 */
export function createDatabasePassword(deps: Deps) {
  const { store, audited, reseal, passwordOf, apply, each } = deps

  async function set(
    caller: Caller,
    ref: string,
    password: string,
    origin: Origin,
  ): Promise<{ ref: string }> {
    // As a verifier, so that the password itself passes through no log and no other program.
    const verifier = await scramVerifier(password)
    const work: Parameters<Audited>[2] = async (tx, project) => {
      // Somebody else's change, made elsewhere, has ended what was noted for this one.
      if (!(await store.isNoted(tx, project.id))) throw new ApiError('conflict')
      await store.setSecrets(tx, ref, reseal(ref, project.sealed_secrets, password))
      await apply(ref, verifier)
      failpoint('database-password.set:applied')
      await store.end(tx, project.id)
      return { change: {} }
    }
    const by = { caller, ref, origin }
    await audited(by, 'database-password.set', work, () => store.begin(ref))
    return { ref }
  }

  /** Whoever changes it now holds the row, and has ended what was noted before this comes to it. */
  const settleOne = (ref: string) =>
    store.transaction(async (tx) => {
      const project = await store.lock(tx, ref)
      if (!project || !(await store.end(tx, project.id))) return
      await apply(ref, await scramVerifier(passwordOf(ref, project.sealed_secrets)))
    })

  return {
    set,
    /** For a round: makes databases and rows agree where a change was cut short. */
    async settle(): Promise<void> {
      await each('passwords of databases', await store.begun(), String, settleOne)
    },
  }
}
