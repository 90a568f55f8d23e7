import type { Platform } from '../../platform.ts'
import { createInactivity } from './inactivity.ts'
import { inactivityStore } from './store.ts'

type Needs = Pick<Parameters<typeof createInactivity>[0], 'mail' | 'pause'>

/** Pauses projects that nobody uses. A project that is somebody's own server is not paused. */
export function inactivityFeature(platform: Platform, needs: Needs) {
  const { db, record, jobs, each, url, mode, now } = platform
  const inactivity = createInactivity({
    store: inactivityStore(db),
    record,
    ...needs,
    startJob: jobs.start,
    each,
    url,
    now,
  })
  const round = async () => (mode === 'self-hosted' ? undefined : inactivity.round())
  return { round, rounds: [{ seconds: 900, name: 'projects that nobody uses', run: round }] }
}
