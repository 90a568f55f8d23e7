import type { Platform } from '../../platform.ts'
import { createProfiles, newProfile } from './profile.ts'
import { createAccountRemoval, accountWorkflows } from './removal.ts'
import { removalStore } from './removal-store.ts'
import { profileRoutes } from './routes.ts'
import { profileStore } from './store.ts'

/** What a person is called, and how an account ends. */
export function profileFeature(platform: Platform) {
  const { db, record, jobs, people, access, disabledFeatures = [] } = platform
  const store = profileStore(db)
  return {
    routes: profileRoutes({
      profiles: createProfiles(store, record, disabledFeatures),
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
