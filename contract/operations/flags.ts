import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Slug } from '../values.ts'

const FlagKey = z
  .string()
  .regex(/^[a-z][a-zA-Z0-9._-]{0,99}$/, 'must be a word of letters, digits, dots and hyphens')

/**
 * Whom a flag is on for. The first rule that names the person or the organization decides; without one the percentage
 * does, by a hash of flag and person, so that a person's answer stays the same while it grows.
 */
const FlagRules = z.object({
  on: z.boolean().default(false),
  /** 0-100: how many people have it although `on` is false. */
  percentage: z.number().int().min(0).max(100).default(0),
  organizations: z.array(Slug).max(1000).default([]),
  people: z.array(z.uuid()).max(1000).default([]),
})
export type FlagRules = z.output<typeof FlagRules>

const Flag = z.object({ key: FlagKey, ...FlagRules.shape })

/** The operator's side of the remote flags (docs/operating.md); people read theirs by telemetry.featureFlags. */
export const flags = {
  list: endpoint('flags.list', 'GET /internal/flags', {
    needs: 'internal',
    input: z.object({}),
    returns: z.array(Flag),
  }),
  set: endpoint('flags.set', 'PUT /internal/flags/:key', {
    needs: 'internal',
    input: Flag,
    returns: Flag,
  }),
  remove: endpoint('flags.remove', 'DELETE /internal/flags/:key', {
    needs: 'internal',
    input: z.object({ key: FlagKey }),
    returns: z.object({ removed: z.boolean() }),
  }),
}
