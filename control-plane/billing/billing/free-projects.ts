import { freeActiveProjects } from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import type { Tx } from '../../platform-database/database.ts'
import type { ActiveProject, FreeStore } from './free-store.ts'

type Owner = { user_id: string; primary_email: string }

const listOf = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/**
 * The Free plan's limit: at most 2 active projects of one owner, over all their free organizations (requirements §9).
 * Paused projects do not count.
 */
export function createFreeProjects(store: FreeStore) {
  /** Names are told to their owner only: an organization's other owners may have projects that nobody here knows of. */
  function refusal(owner: Owner, held: readonly ActiveProject[], callerId: string | undefined) {
    const own = owner.user_id === callerId
    const who = own ? 'You have' : `${owner.primary_email}, an owner of this organization, has`
    const which = own ? `: ${listOf(held.map(({ name }) => name))}` : ''
    return new ApiError(
      'free_project_limit',
      `The Free plan includes ${freeActiveProjects} active projects for each owner. ${who} ${held.length}${which}. ` +
        'Pause or delete one, or upgrade this organization.',
    )
  }

  return {
    /**
     * Throws free_project_limit when `adding` further projects would be too many for an owner of the organization. Holds
     * a lock on every owner until `tx` ends, so that two at once cannot both take the last place.
     */
    async admit(
      tx: Tx,
      organizationId: string,
      {
        adding,
        except = [],
        callerId,
      }: { adding: number; except?: readonly string[]; callerId?: string },
    ): Promise<void> {
      const owners = await store.owners(organizationId, tx)
      const ids = owners.map(({ user_id }) => user_id)
      await store.lockOwners(tx, ids)
      const all = (await store.activeOf(ids, tx)).filter(({ ref }) => !except.includes(ref))
      for (const owner of owners) {
        const held = all.filter(({ owner_id }) => owner_id === owner.user_id)
        if (held.length + adding > freeActiveProjects) throw refusal(owner, held, callerId)
      }
    },

    /** How many more active projects this person's free organizations may hold. */
    async freeSlots(userId: string): Promise<{ limit: number; active: number; left: number }> {
      const held = await store.activeOf([userId])
      const left = Math.max(0, freeActiveProjects - held.length)
      return { limit: freeActiveProjects, active: held.length, left }
    },

    /** Owners of the organization who have as many as they may. */
    async reached(organizationId: string, tx?: Tx) {
      const owners = await store.owners(organizationId, tx)
      const ids = owners.map(({ user_id }) => user_id)
      const all = await store.activeOf(ids, tx)
      return owners
        .map(({ user_id, username, primary_email }) => ({
          gotrue_id: user_id,
          username,
          primary_email,
          free_project_limit: freeActiveProjects,
          active_free_projects: all.filter(({ owner_id }) => owner_id === user_id).length,
        }))
        .filter((owner) => owner.active_free_projects >= freeActiveProjects)
    },

    /** Projects that run in the organization now. */
    activeIn: store.activeIn,
  }
}
export type FreeProjects = ReturnType<typeof createFreeProjects>
