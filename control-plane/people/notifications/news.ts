import { dayText } from '#contract/billing/quotas'
import { planNames, planOfTier, tiers, type Tier } from '#contract/billing/plans'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Change } from '../../organizations/audit/chain.ts'
import { quotaNotice, restrictionNotice } from './billing-news.ts'
import { logDrainNotice } from './log-drain-news.ts'
import { mergeRequestNews } from './merge-request-news.ts'
import type { Notice } from './notice.ts'
import type { NotificationStore } from './store.ts'

/** Whom a piece of news is for: owners and administrators, or single people. Never whoever did it. */
type News = {
  to: 'managers' | { userId: string } | { userIds: string[] }
  notice: Omit<Notice, 'organizationId'>
}
type Place = { slug: string; name: string }

const afterOf = ({ change }: Change): Record<string, unknown> => {
  const { after } = change
  // A change is JSON; what `after` holds is read field by field.
  return typeof after === 'object' && after !== null ? (after as Record<string, unknown>) : {}
}
const nameOf = (target: string) => target.slice(target.indexOf(':') + 1)
const isTier = (value: unknown): value is Tier => tiers.some((tier) => tier === value)

/** What happened to a project that ended in a status which nobody ordered. */
const failures: Record<string, string> = {
  INIT_FAILED: 'could not be made',
  PAUSE_FAILED: 'could not be paused',
  RESTORE_FAILED: 'could not be resumed',
  ACTIVE_HEALTHY: 'could not be restored and is as it was',
  ACTIVE_UNHEALTHY: 'did not come back as it should',
}

function failureOf({ change: { before } }: Change, status: string): string {
  const was = typeof before === 'object' && before !== null && 'status' in before && before.status
  if (was === 'RESIZING' && status === 'ACTIVE_HEALTHY')
    return 'could not be resized and has the compute size that it had'
  if (was === 'UPGRADING' && status === 'ACTIVE_HEALTHY')
    return 'could not be upgraded and runs on the version that it had'
  return failures[status] ?? 'is in trouble'
}

/** What people are told of an accepted change; undefined for what only stands in the audit log. */
export function newsOf(change: Change, { slug, name }: Place): News | undefined {
  const after = afterOf(change)
  const subject = nameOf(change.target)
  const billing = { label: 'Open billing', url: `/org/${slug}/billing` as const }
  switch (change.action) {
    case 'members.update':
      return {
        to: { userId: subject },
        notice: {
          name: change.action,
          priority: 'Info',
          title: `Your role in ${name} has changed`,
          message: 'What you can do there follows your new role from now on.',
          actions: [{ label: 'Open the organization', url: `/org/${slug}` }],
        },
      }
    case 'members.remove':
      return {
        to: { userId: subject },
        notice: {
          name: change.action,
          priority: 'Warning',
          title: `You are no longer in ${name}`,
          message: 'Its projects cannot be reached with your account any more.',
        },
      }
    case 'billing.restriction':
      return {
        to: 'managers',
        notice: restrictionNotice(after, { name, slug }),
      }
    case 'billing.quota':
      return { to: 'managers', notice: quotaNotice(after, { name, slug }) }
    case 'billing.changeSubscription': {
      const { tier } = after
      if (!isTier(tier)) return undefined
      return {
        to: 'managers',
        notice: {
          name: change.action,
          priority: 'Info',
          title: `The plan of ${name} has changed`,
          message: `It is ${planNames[planOfTier[tier]]}.`,
          actions: [billing],
        },
      }
    }
    case 'transfer.run':
      return {
        to: 'managers',
        notice: {
          name: change.action,
          priority: 'Info',
          title: 'A project has changed organizations',
          message: `${String(change.change['name'])} belongs to ${String(after['organization'])} now.`,
          projectRef: subject,
        },
      }
    case 'projects.fail':
      return {
        to: 'managers',
        notice: {
          name: change.action,
          priority: 'Critical',
          title: `${String(change.change['name'])} ${failureOf(change, String(after['status']))}`,
          message: `It said: ${String(after['failure'])}`,
          projectRef: subject,
          actions: [{ label: 'Open the project', url: `/project/${subject}` }],
        },
      }
    case 'projects.disk':
      return {
        to: 'managers',
        notice: diskNotice(after['state'], String(change.change['name']), subject),
      }
    case 'projects.inactive':
      return {
        to: 'managers',
        notice: {
          name: change.action,
          priority: 'Warning',
          title: `${String(change.change['name'])} will be paused on ${dayText(new Date(String(after['pauses_at'])))}`,
          message: 'Nobody uses it. Open it, or send it a request, to prevent that.',
          projectRef: subject,
          actions: [{ label: 'Open the project', url: `/project/${subject}` }],
        },
      }
    case 'projects.pauseByPlatform':
      if (after['cause'] === 'idle_branch') return undefined
      return {
        to: 'managers',
        notice: {
          name: change.action,
          priority: 'Critical',
          title: `${String(change.change['name'])} is paused`,
          message: `${String(after['reason'])}. Nothing of it is lost. ${
            after['cause'] === 'inactivity'
              ? 'Resume it at any time; larger plans do not pause.'
              : 'Choose a larger plan, or resume it and delete data within 15 minutes.'
          }`,
          projectRef: subject,
          actions: [{ label: 'Open the project', url: `/project/${subject}` }],
        },
      }
    case 'domains.records-missing':
      return {
        to: 'managers',
        notice: {
          name: change.action,
          priority: 'Warning',
          title: `DNS records of ${String(change.change['hostname'])} are missing`,
          message: `It is the custom hostname of ${String(change.change['name'])}. Its certificate is not renewed until the records are back.`,
          projectRef: subject,
          actions: [
            { label: 'Open custom domains', url: `/project/${subject}/settings/custom-domains` },
          ],
        },
      }
    case 'mergeRequests.create':
    case 'mergeRequests.review':
      return mergeRequestNews(change, after, subject)
    case 'log-drains.fail':
    case 'log-drains.lose':
      return { to: 'managers', notice: logDrainNotice(change, { slug }) }
    case 'backups.fail':
      return {
        to: 'managers',
        notice: {
          name: change.action,
          priority: 'Warning',
          title: `A backup of ${String(change.change['name'])} failed`,
          message: `It said: ${String(after['failure'])}`,
          projectRef: subject,
          actions: [
            { label: 'Open the backups', url: `/project/${subject}/database/backups/scheduled` },
          ],
        },
      }
    case 'projects.remove':
      return {
        to: 'managers',
        notice: {
          name: change.action,
          priority: 'Warning',
          title: `A project of ${name} is deleted`,
          message: `${subject} and all its data are being removed.`,
        },
      }
    case 'oauthApps.approve':
      return {
        to: 'managers',
        notice: {
          name: change.action,
          priority: 'Info',
          title: `An app may act for ${name}`,
          message: 'It was authorized on its consent page. You can revoke its access at any time.',
          actions: [{ label: 'See the apps', url: `/org/${slug}/apps` }],
        },
      }
    default:
      return undefined
  }
}

function diskNotice(state: unknown, name: string, ref: string): News['notice'] {
  const base = {
    name: 'projects.disk',
    projectRef: ref,
    actions: [{ label: 'Open the project', url: `/project/${ref}` as const }],
  }
  switch (state) {
    case 'near':
      return {
        ...base,
        priority: 'Warning',
        title: `The database of ${name} is almost full`,
        message: 'Delete data or choose a larger plan. Beyond its limit it can only be read.',
      }
    case 'full':
      return {
        ...base,
        priority: 'Critical',
        title: `The database of ${name} is full and can only be read`,
        message: 'Choose a larger plan, or allow writes for 15 minutes and delete data.',
      }
    default:
      return {
        ...base,
        priority: 'Info',
        title: `The database of ${name} has space again`,
        message: 'It can be written to.',
      }
  }
}

/** Writes audit entries as before, and tells whom they concern in the same transaction. */
export const withNews =
  (record: RecordChange, store: NotificationStore): RecordChange =>
  async (tx, change) => {
    await record(tx, change)
    if (change.organizationId === null) return
    const place = await store.place(tx, change.organizationId)
    const news = place && newsOf(change, place)
    if (!news) return
    const all =
      news.to === 'managers'
        ? await store.managers(tx, change.organizationId)
        : await store.known(tx, 'userIds' in news.to ? news.to.userIds : [news.to.userId])
    const recipients = all.filter((userId) => userId !== change.actor?.userId)
    await store.insert(tx, recipients, { ...news.notice, organizationId: change.organizationId })
  }
