import type { Permission } from '#contract/permissions'
import { profile as api } from '#contract/people/profile'
import { v1 } from '#contract/v1/v1'
import { implement } from '#kit/http'
import { checkPassword } from './password-check.ts'
import type { Profiles } from './profile.ts'
import type { AccountRemoval } from './removal.ts'

type Parts = {
  profiles: Profiles
  removal: AccountRemoval
  permissionsOf: (userId: string) => Promise<Permission[]>
}

export const profileRoutes = ({ profiles, removal, permissionsOf }: Parts) => [
  implement(api.get, (_, caller) => profiles.get(caller)),
  implement(v1.profile, async (_, caller) => {
    const { gotrue_id, primary_email, username } = await profiles.get(caller)
    return { gotrue_id, primary_email, username }
  }),
  implement(api.create, (_, caller) => profiles.create(caller)),
  implement(api.update, (input, caller, origin) => profiles.update(caller, input, origin)),
  implement(api.remove, ({ email }, caller, origin) => removal.remove(caller, email, origin)),
  implement(api.soleOwnerships, (_, caller) => removal.soleOwnerships(caller)),
  implement(api.permissions, (_, caller) => permissionsOf(caller.userId)),
  implement(api.passwordCheck, async ({ password }) => {
    const verdict = await checkPassword(password)
    return { ...verdict, result: verdict }
  }),
]
