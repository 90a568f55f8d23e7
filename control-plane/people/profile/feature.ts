import type { Platform } from '../../platform.ts'
import { createProfiles, newProfile, type Profiles } from './profile.ts'
import { createAccountRemoval, accountWorkflows, type AccountRemoval } from './removal.ts'
import { removalStore } from './removal-store.ts'
import { profileStore } from './store.ts'
import type { Permission } from '#contract/permissions'
import { profile as api } from '#contract/people/profile'
import { v1 } from '#contract/v1/v1'
import { implement } from '#kit/http'
import { checkPassword } from './password-check.ts'

/** What a person is called, and how an account ends. */
export function profileFeature(platform: Platform) {
  const { db, record, jobs, people, access, disabledFeatures = [] } = platform
  const store = profileStore(db)
  return {
    routes: profileRoutes({
      profiles: createProfiles(store, record, disabledFeatures, access.isOperator),
      removal: createAccountRemoval({
        profiles: store,
        store: removalStore(db),
        record,
        acceptJob: jobs.accept,
        startJob: jobs.start,
        people,
      }),
      permissionsOf: access.permissions,
    }),
    workflows: accountWorkflows(people),
    /** For somebody who comes for the first time. */
    make: (tx: Parameters<typeof store.insert>[1], person: Parameters<typeof newProfile>[0]) =>
      store.insert(newProfile(person), tx),
  }
}

type Parts = {
  profiles: Profiles
  removal: AccountRemoval
  permissionsOf: (userId: string) => Promise<Permission[]>
}

const profileRoutes = ({ profiles, removal, permissionsOf }: Parts) => [
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
