/** What an organization lets the assistant see of its projects: each level includes the ones before it (facts §1, features). */
export const aiOptInLevels = [
  'disabled',
  'schema',
  'schema_and_log',
  'schema_and_log_and_data',
] as const
export type AiOptInLevel = (typeof aiOptInLevels)[number]

/** The values of `organization.opt_in_tags` that concern the assistant. */
export const aiOptInTags = {
  schema: 'AI_SQL_GENERATOR_OPT_IN',
  log: 'AI_LOG_GENERATOR_OPT_IN',
  data: 'AI_DATA_GENERATOR_OPT_IN',
} as const
export const aiTags = Object.values(aiOptInTags)
export type AiOptInTag = (typeof aiOptInTags)[keyof typeof aiOptInTags]

/** The tags that say a level. */
export const tagsOfLevel: Record<AiOptInLevel, readonly AiOptInTag[]> = {
  disabled: [],
  schema: [aiOptInTags.schema],
  schema_and_log: [aiOptInTags.schema, aiOptInTags.log],
  schema_and_log_and_data: [aiOptInTags.schema, aiOptInTags.log, aiOptInTags.data],
}

/** The level that tags say. A tag without the ones below it counts for nothing: less is shown rather than more. */
export function aiOptInLevel(tags: readonly string[]): AiOptInLevel {
  const has = (tag: string) => tags.includes(tag)
  if (!has(aiOptInTags.schema)) return 'disabled'
  if (!has(aiOptInTags.log)) return 'schema'
  return has(aiOptInTags.data) ? 'schema_and_log_and_data' : 'schema_and_log'
}
