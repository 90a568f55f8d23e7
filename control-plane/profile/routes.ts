import type { Permission } from '#contract/permissions'
import { profile as api } from '#contract/profile'
import { implement } from '#kit/http'
import { checkPassword } from './password-check.ts'
import type { Profiles } from './profile.ts'

export const profileRoutes = (
  profiles: Profiles,
  permissionsOf: (userId: string) => Promise<Permission[]>,
) => [
  implement(api.get, (_, caller) => profiles.get(caller)),
  implement(api.create, (_, caller) => profiles.create(caller)),
  implement(api.permissions, (_, caller) => permissionsOf(caller.userId)),
  implement(api.passwordCheck, async ({ password }) => {
    const verdict = await checkPassword(password)
    return { ...verdict, result: verdict }
  }),
]
