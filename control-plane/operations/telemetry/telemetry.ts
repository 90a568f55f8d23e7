import { serviceIds } from '#contract/people/consent'
import type { Parsed } from '#contract/endpoint'
import type { telemetry as api } from '#contract/operations/telemetry'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Log } from '#kit/log'
import type { EventRow, Keep, TelemetryStore } from './store.ts'

type PageInput = Omit<Parsed<typeof api.page>, 'feature_flags'>

/** Whoever sends how much, the tables stay this small. */
export const keepEvents: Keep = { rows: 100_000, days: 90 }
export const keepReports: Keep = { rows: 5000, days: 90 }

type Options = {
  store: TelemetryStore
  /** Whether a person agreed to a use of their data. */
  grants: (userId: string, service: string) => Promise<boolean>
  log: Log
}

/** What people do in the dashboard, as far as they agreed to have it counted. */
export function createTelemetry({ store, grants, log }: Options) {
  /** The browser asks for consent before it sends; what carries a name is checked here a second time. */
  async function insertNamed(caller: Caller, row: EventRow) {
    if (!(await grants(caller.userId, serviceIds.productUse))) return { stored: false }
    await store.insert(row)
    return { stored: true }
  }

  return {
    async event(input: Parsed<typeof api.event>) {
      await store.insert({
        ...pageRow(input),
        kind: 'event',
        action: input.action,
        properties: input.custom_properties,
      })
      return { stored: true }
    },

    async page(kind: 'page' | 'page_leave', input: Parsed<typeof api.page>) {
      await store.insert({ ...pageRow(input), kind, properties: input.feature_flags })
      return { stored: true }
    },

    async identify(caller: Caller, input: Parsed<typeof api.identify>) {
      if (input.user_id !== caller.userId) {
        throw new ApiError('not_allowed', 'You cannot be identified as another person')
      }
      return insertNamed(caller, {
        kind: 'identify',
        session_id: input.session_id,
        user_id: caller.userId,
        project: input.project_ref ?? null,
        organization: input.organization_slug ?? null,
      })
    },

    groups: (caller: Caller, input: Parsed<typeof api.groupsIdentify>) =>
      insertNamed(caller, {
        kind: 'groups',
        session_id: input.session_id,
        project: input.project_ref ?? null,
        organization: input.organization_slug ?? null,
      }),

    groupsReset: (caller: Caller, { session_id }: { session_id: string }) =>
      insertNamed(caller, { kind: 'groups_reset', session_id }),

    async reset({ session_id }: { session_id: string }) {
      await store.insert({ kind: 'reset', session_id })
      return { stored: true }
    },

    flag: (caller: Caller, input: Parsed<typeof api.trackFlag>) =>
      insertNamed(caller, {
        kind: 'flag',
        session_id: input.session_id,
        action: input.feature_flag_name,
        properties: { value: input.feature_flag_value },
      }),

    async errorReport(input: Parsed<typeof api.errorReport>, { userAgent }: Origin) {
      const stored = await store.insertReport({
        id: input.report_id,
        message: input.message,
        stack: input.stack,
        pathname: input.pathname,
        version: input.version,
        person: input.user,
        user_agent: userAgent,
      })
      // Only the id: the words of an error can hold what a person typed.
      if (stored) log.warn({ report: input.report_id }, 'the dashboard reported an error')
      return { stored }
    },

    async prune(now = new Date()): Promise<void> {
      await store.prune(keepEvents, now)
      await store.pruneReports(keepReports, now)
    },
  }
}
export type Telemetry = ReturnType<typeof createTelemetry>

/** What of a page is kept. Not its title, which names projects, nor the values of its query, which can be tokens. */
function pageRow({ pathname, ph, groups }: PageInput) {
  const { session_id, language, viewport_height, viewport_width, user_agent } = ph
  return {
    session_id,
    pathname,
    project: groups.project,
    organization: groups.organization,
    context: {
      language,
      viewport_height,
      viewport_width,
      user_agent,
      referrer: ph.referrer.split(/[?#]/)[0] ?? '',
      search: ph.search
        .replace(/^\?/, '')
        .split('&')
        .map((part) => part.split('=')[0] ?? '')
        .filter(Boolean)
        .join('&'),
    },
  }
}
