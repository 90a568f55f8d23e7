import type { Platform } from '../../platform.ts'
import { rounds as api } from '#contract/operations/rounds'
import { implementOpen } from '#kit/http'
import type { Subjects } from '#kit/subjects'

/** What could not be looked after the last time. */
export const roundsFeature = ({ failing }: Platform) => ({ routes: roundRoutes(failing) })

/** What the rounds could not do the last time, for the operator. */
const roundRoutes = (failing: Subjects['failing']) => [
  implementOpen(api.failing, async () => ({
    failing: failing().map(({ since, nextAt, ...one }) => ({
      ...one,
      since: since.toISOString(),
      next_at: nextAt.toISOString(),
    })),
  })),
]
