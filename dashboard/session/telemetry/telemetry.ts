import { serviceIds } from '#contract/people/consent'
import type { Endpoint, Input } from '#contract/endpoint'
import { telemetry as api } from '#contract/operations/telemetry'
import { call, messageOf } from '../../api/client.ts'
import { hasConsented, telemetryId } from './consent.ts'
import { namesOf, plain, withoutQuery } from './telemetry-shape.ts'

type Groups = { project?: string | undefined; organization?: string | undefined }

let groups: Groups = {}
let flags: Record<string, boolean> = {}
// The requirements' words (§8); the console is the place they name.
let failed = (error: unknown) => console.log('Failed to send Telemetry event', messageOf(error))

/** Takes the place of the line in the console when an event could not be sent (requirements §8). */
export const onTelemetryFailure = (handler: (error: unknown) => void) => {
  failed = handler
}

/** Project and organization of the page, which every event names. */
export const setTelemetryGroups = (next: Groups) => {
  groups = next
}
export const setTelemetryFlags = (next: Record<string, boolean>) => {
  flags = next
}

/**
 * Something a person did, as `sql_editor_query_run_button_clicked`. Sent only with consent. `properties` are names and
 * figures: never what people typed or stored; texts over 200 characters and everything that is no plain value are left out.
 */
export const track = (action: string, properties: Record<string, unknown> = {}): void =>
  post(api.event, () => ({ ...page(), action, custom_properties: plain(properties) }))

export const trackPage = (): void => post(api.page, () => ({ ...page(), feature_flags: flags }))

export const trackPageLeave = (): void =>
  post(api.pageLeave, () => ({ ...page(), feature_flags: flags }))

/** Ties this browser to the person who is signed in. */
export const identify = (userId: string): void =>
  post(api.identify, () => ({ ...named(), user_id: userId, session_id: telemetryId() }))

export const identifyGroups = (): void =>
  post(api.groupsIdentify, () => ({ ...named(), session_id: telemetryId() }))

export const resetGroups = (): void => post(api.groupsReset, () => ({ session_id: telemetryId() }))

/** Nothing that follows is this person's. */
export const resetTelemetry = (): void => post(api.reset, () => ({ session_id: telemetryId() }))

export const trackFlag = (name: string, value: boolean): void =>
  post(api.trackFlag, () => ({
    feature_flag_name: name,
    feature_flag_value: value,
    session_id: telemetryId(),
  }))

/** `body` is made only with consent: making it may set the cookie. */
function post<E extends Endpoint>(endpoint: E, body: () => Input<E>): void {
  if (!hasConsented(serviceIds.productUse)) return
  // The window may be closing: the browser finishes the request all the same.
  call(endpoint, body(), { keepalive: true }).catch((error: unknown) => failed(error))
}

const named = () => ({
  ...(groups.organization ? { organization_slug: groups.organization } : {}),
  ...(groups.project ? { project_ref: groups.project } : {}),
})

function page() {
  return {
    page_url: location.origin + location.pathname,
    page_title: document.title.slice(0, 300),
    pathname: location.pathname.slice(0, 1000),
    ph: {
      referrer: withoutQuery(document.referrer),
      language: navigator.language,
      search: namesOf(location.search),
      viewport_height: innerHeight,
      viewport_width: innerWidth,
      user_agent: navigator.userAgent.slice(0, 400),
      session_id: telemetryId(),
    },
    groups: {
      project: groups.project ?? 'Unknown',
      organization: groups.organization ?? 'Unknown',
    },
  }
}
