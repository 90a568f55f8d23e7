import { logSources, logSourceTable, type LogSource } from '#contract/observability/log-sources'
import { slugOf } from '../features/observability/logs/sources.ts'

/** The list of all logs while its preview is on, questions about all logs, and the sources; those that this installation does not have stand by themselves and say why. */
export function logPages(ref: string, isUnified: boolean) {
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
  const explorer = (name: string, below: string) => ({
    name,
    to: `/project/${ref}/logs/explorer${below}`,
    route: `/project/$ref/logs/explorer${below}`,
  })
  return [
    {
      entries: [
        ...(isUnified
          ? [{ name: 'All logs', to: `/project/${ref}/logs`, route: '/project/$ref/logs' }]
          : []),
        explorer('Explorer', ''),
        explorer('Saved queries', '/saved'),
        explorer('Templates', '/templates'),
        explorer('Recent queries', '/recent'),
      ],
    },
    { title: 'Sources', entries: all.filter(({ isAbsent }) => !isAbsent) },
    { title: 'Not on this installation', entries: all.filter(({ isAbsent }) => isAbsent) },
  ]
}

type Entry = { name: string; to: string; route: string; leadsAway?: true }
type Group = { title?: string; entries: Entry[] }

/** A group of an area's pages, and below them what leads to the logs of its service. */
export const withLogs = (group: Group, ref: string, source: LogSource): Group => ({
  ...group,
  entries: [
    ...group.entries,
    {
      name: 'Logs',
      to: `/project/${ref}/logs/${slugOf(source)}`,
      route: '/project/$ref/logs/$source',
      leadsAway: true,
    },
  ],
})
