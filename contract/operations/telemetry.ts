import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Slug } from '../values.ts'

/** What a property of an event may be: names and figures, never what people typed or stored. */
const Property = z.union([z.string().max(200), z.number(), z.boolean(), z.null()])
const Properties = z
  .record(z.string().min(1).max(64), Property)
  .refine((value) => Object.keys(value).length <= 20, 'must have at most 20 properties')

/** Project ref and organization slug of the page; Unknown where there is none (requirements §7). */
const Groups = z.object({
  project: z.string().max(64).default('Unknown'),
  organization: z.string().max(64).default('Unknown'),
})

/** Where the browser is, and which one it is; values of the query string are left out by the client. */
const Page = {
  page_url: z.string().max(2000),
  page_title: z.string().max(300),
  pathname: z.string().max(1000),
  ph: z.object({
    referrer: z.string().max(2000).default(''),
    language: z.string().max(40).default(''),
    search: z.string().max(500).default(''),
    viewport_height: z.number().int().min(0).max(100_000).default(0),
    viewport_width: z.number().int().min(0).max(100_000).default(0),
    user_agent: z.string().max(400).default(''),
    /** The random value of the telemetry cookie; nothing else ties two events together. */
    session_id: z.uuid(),
  }),
  groups: Groups.prefault({}),
}
const Flags = z.record(z.string().min(1).max(100), z.boolean())
const Action = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be lower-case words with underscores')
const Stored = z.object({ stored: z.boolean() })
const perMinute = 120

/** The shapes of facts §3.6. Clients send only after consent; the server keeps a bounded number of rows. */
export const telemetry = {
  event: endpoint('telemetry.event', 'POST /platform/telemetry/event', {
    needs: 'anyone',
    perMinute,
    input: z.object({ ...Page, action: Action, custom_properties: Properties.default({}) }),
    returns: Stored,
  }),
  page: endpoint('telemetry.page', 'POST /platform/telemetry/page', {
    needs: 'anyone',
    perMinute,
    input: z.object({ ...Page, feature_flags: Flags.default({}) }),
    returns: Stored,
  }),
  pageLeave: endpoint('telemetry.pageLeave', 'POST /platform/telemetry/page-leave', {
    needs: 'anyone',
    perMinute,
    input: z.object({ ...Page, feature_flags: Flags.default({}) }),
    returns: Stored,
  }),
  /** Ties the random value of the cookie to the caller, who can only be themself. */
  identify: endpoint('telemetry.identify', 'POST /platform/telemetry/identify', {
    needs: 'signed-in',
    perMinute,
    input: z.object({
      user_id: z.uuid(),
      session_id: z.uuid(),
      organization_slug: Slug.optional(),
      project_ref: z.string().max(64).optional(),
    }),
    returns: Stored,
  }),
  groupsIdentify: endpoint('telemetry.groupsIdentify', 'POST /platform/telemetry/groups/identify', {
    needs: 'signed-in',
    perMinute,
    input: z.object({
      session_id: z.uuid(),
      organization_slug: z.string().max(64).optional(),
      project_ref: z.string().max(64).optional(),
    }),
    returns: Stored,
  }),
  groupsReset: endpoint('telemetry.groupsReset', 'POST /platform/telemetry/groups/reset', {
    needs: 'signed-in',
    perMinute,
    input: z.object({ session_id: z.uuid() }),
    returns: Stored,
  }),
  /** The person leaves: nothing that follows is theirs. */
  reset: endpoint('telemetry.reset', 'POST /platform/telemetry/reset', {
    needs: 'anyone',
    perMinute,
    input: z.object({ session_id: z.uuid() }),
    returns: Stored,
  }),
  /** What the remote flags are for the caller, in this organization when they are a member of it. */
  featureFlags: endpoint('telemetry.featureFlags', 'GET /platform/telemetry/feature-flags', {
    needs: 'signed-in',
    input: z.object({ organization_slug: Slug.optional() }),
    returns: z.record(z.string(), z.boolean()),
  }),
  trackFlag: endpoint('telemetry.trackFlag', 'POST /platform/telemetry/feature-flags/track', {
    needs: 'signed-in',
    perMinute,
    input: z.object({
      feature_flag_name: z.string().min(1).max(100),
      feature_flag_value: z.boolean(),
      session_id: z.uuid(),
    }),
    returns: Stored,
  }),
  /** A crash of the dashboard, under the id that the person was shown. */
  errorReport: endpoint('telemetry.errorReport', 'POST /platform/telemetry/error-report', {
    needs: 'anyone',
    perMinute: 20,
    input: z.object({
      report_id: z.uuid(),
      message: z.string().max(1000),
      stack: z.string().max(8000).default(''),
      pathname: z.string().max(1000),
      version: z.string().max(40).default(''),
      /** SHA-256 of the user id, base64: the same person, nobody's name. */
      user: z.string().max(44).default(''),
    }),
    returns: Stored,
  }),
}
