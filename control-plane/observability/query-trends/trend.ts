import type { TrendPoint } from '#contract/observability/query-performance'
import type { Figures } from '../../platform-database/tables-database.ts'

type Look = { taken_at: Date; figure: Figures[string] | null }

/**
 * What happened between each look and the one before. Counters that went down were reset: then all they say happened
 * since. A statement that was not among the busiest at a look has no figure there and is left out of it.
 */
export function trendOf(looks: readonly Look[]): TrendPoint[] {
  const points: TrendPoint[] = []
  let before: Figures[string] | undefined
  for (const { taken_at, figure } of looks) {
    if (!figure) continue
    if (before) {
      const from: Figures[string] = figure[0] < before[0] ? [0, 0, 0] : before
      points.push({
        at: taken_at.toISOString(),
        calls: figure[0] - from[0],
        time: Math.max(0, figure[1] - from[1]),
        rows: figure[2] - from[2],
      })
    }
    before = figure
  }
  return points
}
