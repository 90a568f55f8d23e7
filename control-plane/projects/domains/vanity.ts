import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Audited } from '../../audited.ts'
import type { InstallationNames } from './addresses.ts'
import { vanityProblem } from './names.ts'
import { plansOf } from './shape.ts'
import type { DomainStore } from './store.ts'

type Deps = { store: DomainStore; names: InstallationNames; audited: Audited; now: () => Date }
type By = { caller: Caller; ref: string; origin: Origin }

/** Vanity subdomains: a name in the place of the ref, where addresses of projects are names below a domain. */
export function createVanity({ store, names, audited, now }: Deps) {
  async function refuse(ref: string): Promise<string> {
    if (names.vanityDomain === null)
      throw new ApiError(
        'not_on_this_installation',
        'This installation has no vanity subdomains: its projects share one hostname. Its operator sets PLINTH_PROJECT_URL to https://{ref}.example.com for them',
      )
    const subject = await store.subject(ref)
    if (!subject) throw new ApiError('project_not_found')
    if (!plansOf(subject).vanity)
      throw new ApiError(
        'plan_limit',
        'The Free plan does not include vanity subdomains. Upgrade the plan of the organization',
      )
    return subject.id
  }

  return {
    /** Null: it can be had. */
    async reasonAgainst(ref: string, name: string): Promise<string | null> {
      const id = await refuse(ref)
      const problem = vanityProblem(name)
      if (problem !== undefined) return problem
      return (await store.isTaken(name, id)) ? 'Another project has this name' : null
    },

    async activate(by: By, name: string): Promise<void> {
      await refuse(by.ref)
      const problem = vanityProblem(name)
      if (problem !== undefined) throw new ApiError('invalid_input', problem)
      await audited(by, 'domains.activate-vanity', async (tx, { id }) => {
        const before = await store.vanity(id, tx)
        if (before?.name === name) return {}
        if (!(await store.setVanity(tx, id, name, now())))
          throw new ApiError('name_taken', 'Another project has this name')
        return { change: { before: { name: before?.name ?? null }, after: { name } } }
      })
    },

    remove: (by: By): Promise<unknown> =>
      audited(by, 'domains.remove-vanity', async (tx, { id }) => {
        const before = await store.vanity(id, tx)
        if (!before) throw new ApiError('not_found', 'The project has no vanity subdomain')
        await store.removeVanity(tx, id)
        return { change: { before: { name: before.name } } }
      }),
  }
}
export type Vanity = ReturnType<typeof createVanity>
