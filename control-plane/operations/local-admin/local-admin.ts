import { z } from 'zod'
import { actAsHeader, localAdministrator } from '#contract/operations/local-admin'
import { selfHostedWorld, type Mode } from '#contract/operations/platform-only'
import { ApiError } from '#kit/errors'
import type { VerifiedToken } from '../../access/access.ts'
import type { LocalAdminStore, Person } from './store.ts'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * As whom a request acts that came through the local socket: as the local administrator, who has no login and is made
 * at the first such request; as the owner of a self-hosted installation; or as the person whom the request names. It
 * may do what an access token of theirs may do.
 */
export function createLocalAdmin(store: LocalAdminStore, mode: Mode) {
  async function named(given: string | string[]): Promise<Person> {
    const email = z.email().safeParse(String(given).toLowerCase())
    const [person, another] = email.success ? await store.withEmail(email.data) : []
    if (!person) throw new ApiError('user_profile_not_found', 'No account has this address')
    if (another) throw new ApiError('invalid_input', 'More than one account has this address')
    return person
  }

  async function own(): Promise<Person> {
    if (mode === 'self-hosted') {
      const owner = await store.firstOwnerOf(selfHostedWorld.organizationSlug)
      if (!owner) throw new ApiError('user_profile_not_found')
      return owner
    }
    const { userId, email, username, firstName, lastName } = localAdministrator
    await store.addProfile({
      user_id: userId,
      auth0_id: `local|${userId}`,
      username,
      primary_email: email,
      first_name: firstName,
      last_name: lastName,
    })
    return { user_id: userId, primary_email: email }
  }

  return async (headers: Headers): Promise<VerifiedToken> => {
    const asWhom = headers[actAsHeader]
    const person = asWhom === undefined ? await own() : await named(asWhom)
    return {
      kind: 'token',
      userId: person.user_id,
      email: person.primary_email,
      sessionId: 'local administrator',
      aal: 'aal1',
    }
  }
}
