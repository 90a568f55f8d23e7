import type { Platform } from '../../platform.ts'
import { createQuotas } from './quotas.ts'
import { quotaStore } from './store.ts'

type Needs = Pick<
  Parameters<typeof createQuotas>[0],
  'itemsOf' | 'nameOf' | 'measureStorage' | 'review' | 'queueMail'
>

/** What organizations may use, and who is told when they come near. */
export function quotasFeature(platform: Platform, needs: Needs) {
  const { db, record, jobs, each, url, now, log } = platform
  const quotas = createQuotas({
    store: quotaStore(db),
    ...needs,
    record,
    startJob: jobs.start,
    each,
    url,
    now,
    log,
  })
  return {
    quotas,
    rounds: [{ seconds: 300, name: 'quotas of organizations', run: () => quotas.round() }],
  }
}
