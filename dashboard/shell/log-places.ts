import { logSources, logSourceTable, type LogSource } from '#contract/observability/log-sources'
import { slugOf } from '../features/observability/logs/sources.ts'

/** The sources of logs; those that this installation does not have stand by themselves and say why. */
export function logPages(ref: string) {
  const all = logSources.map((source) => {
    const { title, about, absent } = logSourceTable[source]
    return {
      name: title,
      about: absent ?? about,
      isAbsent: absent !== undefined,
      to: `/project/${ref}/logs/${slugOf(source)}`,
      route: '/project/$ref/logs/$source',
    }
  })
  return [
    { entries: all.filter(({ isAbsent }) => !isAbsent) },
    { title: 'Not on this installation', entries: all.filter(({ isAbsent }) => isAbsent) },
  ]
}

/** From the pages of an area to what its service writes. */
export const logsOf = (ref: string, source: LogSource) => ({
  entries: [
    {
      name: 'Logs',
      to: `/project/${ref}/logs/${slugOf(source)}`,
      route: '/project/$ref/logs/$source',
      leadsAway: true as const,
    },
  ],
})
