import type { Change } from '../../organizations/audit/chain.ts'
import type { Notice } from './notice.ts'

/** That a log drain has failed for long, or has lost entries. */
export function logDrainNotice(
  { action, target, change }: Pick<Change, 'action' | 'target' | 'change'>,
  { slug }: { slug: string },
): Omit<Notice, 'organizationId'> {
  const ref = /^project:(.+)$/.exec(target)?.[1]
  // What `record` was given (observability/log-drains/notices.ts).
  const after = change['after'] as { error?: string | null; lost?: number }
  const url = ref
    ? (`/project/${ref}/settings/log-drains` as const)
    : (`/org/${slug}/audit-log-drains` as const)
  const whose = `${String(change['name'])} of ${String(change['of'])}`
  return {
    name: action,
    priority: 'Warning',
    projectRef: ref ?? null,
    actions: [{ label: 'Open log drains', url }],
    ...(action === 'log-drains.fail'
      ? {
          title: `The log drain ${whose} fails`,
          message: `It has delivered nothing for more than an hour${after.error ? `: ${after.error}` : '.'}`,
        }
      : {
          title: `The log drain ${whose} has lost entries`,
          message: `${after.lost ?? 0} entries waited for too long, or were refused. They are still in the logs here.`,
        }),
  }
}
