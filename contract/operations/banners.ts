import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** What the operator tells everybody, above every page. */
export const bannerKinds = ['incident', 'notice'] as const

/** Where a browser remembers that the outage notice was read, as the string true (requirements §4). */
export const outageNoticeKey = 'plinth.notice.dashboard-outage-2025-05-16'

/** Word for word from the requirements (§8). */
export const incidentText = 'We are currently investigating a technical issue'

const link = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .nullable()

const Banner = z.object({
  /** For a notice, all of what it says; an incident says `incidentText` and then this. */
  text: z.string(),
  link,
  /** Where the browser remembers that it was dismissed. */
  acknowledgement: z.string(),
})
export type OperatorBanner = z.infer<typeof Banner>

const printable = z
  .string()
  .max(300)
  // oxlint-disable-next-line no-control-regex -- naming the control characters is the point of this rule
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'must be one line')

export const banners = {
  current: endpoint('banners.current', 'GET /platform/banners', {
    needs: 'anyone',
    input: z.object({}),
    returns: z.object({ incident: Banner.nullable(), notice: Banner.nullable() }),
  }),
  /** The operator's side (docs/operating.md): what stands here is on every page within a minute. */
  set: endpoint('banners.set', 'PUT /internal/banners/:kind', {
    needs: 'internal',
    input: z.object({
      kind: z.enum(bannerKinds),
      text: printable.default(''),
      link: link.default(null),
      acknowledgement: z
        .string()
        .regex(/^[a-z0-9.-]{1,100}$/, 'must be lower-case letters, digits, dots and hyphens')
        .default(outageNoticeKey),
      /** ISO 8601; shown until then. Without it until it is cleared. */
      ends_at: z.iso.datetime({ offset: true }).nullable().default(null),
    }),
    returns: z.object({ kind: z.enum(bannerKinds) }),
  }),
  clear: endpoint('banners.clear', 'DELETE /internal/banners/:kind', {
    needs: 'internal',
    input: z.object({ kind: z.enum(bannerKinds) }),
    returns: z.object({ cleared: z.boolean() }),
  }),
}
