import { activity } from '#contract/database/activity'
import { databaseQuery } from '../../session/project/database.ts'

const everyMs = 3_000

/** What runs now. Asked again every three seconds while somebody looks: a hidden tab asks nothing. */
export const sessionsQuery = (ref: string) => ({
  ...databaseQuery(activity.list, { ref }, 0),
  refetchInterval: everyMs,
  refetchIntervalInBackground: false,
})
