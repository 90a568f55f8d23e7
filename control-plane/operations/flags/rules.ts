import { createHash } from 'node:crypto'
import type { FlagRules } from '#contract/operations/flags'

/** Whom a flag is asked for. */
export type FlagContext = { userId: string; organization?: string | undefined }

/** Whether a flag is on for somebody: for all, for them, for their organization, or for their share of the people. */
export const isOn = (key: string, rules: FlagRules, { userId, organization }: FlagContext) =>
  rules.on ||
  rules.people.includes(userId) ||
  (organization !== undefined && rules.organizations.includes(organization)) ||
  bucketOf(key, userId) < rules.percentage

/**
 * 0 to 99, always the same for a flag and a person: who has it keeps it while the percentage grows. Each flag deals anew,
 * so that it is not always the same people who try things.
 */
export const bucketOf = (key: string, userId: string): number =>
  createHash('sha256').update(`${key}:${userId}`).digest().readUInt32BE(0) % 100
