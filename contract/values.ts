import { z } from 'zod'

/** The one project of self-hosted mode. */
export const defaultRef = 'default'

/** 20 lower-case letters, or `default`: what every project is called by in paths, host names and directories. */
export const ProjectRef = z
  .string()
  .regex(/^(?:[a-z]{20}|default)$/, 'must be 20 lower-case letters')

/** An organization's name in paths. */
export const Slug = z
  .string()
  .min(1)
  .max(64)
  .regex(
    /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/,
    'must be lower-case letters, digits and single hyphens or underscores',
  )

/** No control characters: they cannot be stored (NUL) or shown, and hide text from a reader. */
export const printable = /^\P{Cc}*$/u

/** A name people give to things: trimmed, printable, `min`-`max` characters. */
export const displayName = (min: number, max: number) =>
  z
    .string()
    .trim()
    .min(min, `must have at least ${min} characters`)
    .max(max, `must have at most ${max} characters`)
    .regex(printable, 'must not contain control characters')

/** A whole number in a query string. */
export const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** Page of a list, as `limit` and `offset` in the query. */
export const pageInput = {
  limit: wholeNumber(1, 100).default(50),
  offset: wholeNumber(0, 1_000_000).default(0),
}

export const Pagination = z.object({ count: z.number(), limit: z.number(), offset: z.number() })

/** ISO 8601 with zone, as every date in an answer. */
export const Instant = z.string()
