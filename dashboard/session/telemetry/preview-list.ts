/** A part of the dashboard that people may try before it is everybody's (requirements §3). */
export type FeaturePreview = {
  /** Also its key in the browser's storage, where 'true' or 'false' stands. */
  key: string
  name: string
  /** Where to talk about it. Without one there is no Give feedback. */
  discussionsUrl?: string
  isNew: boolean
  /** Only on the hosted platform. */
  isPlatformOnly: boolean
  /** The remote flag that releases it, or whether this version has what it switches. */
  released: { flag: string } | { inThisVersion: boolean }
  /** Only for organizations on Team or above (requirements §5). */
  fromTeam?: boolean
  /** On until somebody switches it off. */
  byDefault?: boolean
}

/** All sources of logs in one list. */
export const unifiedLogs = 'supabase-ui-preview-unified-logs'

/** The form for an opinion about a preview. */
const feedback = (subject: string) =>
  `/support/new?category=feedback&subject=${encodeURIComponent(`Preview: ${subject}`)}`

/**
 * Keys and names are the requirements'; the three without a key there have the one they are known by. What this version
 * has no pages for is not released by default.
 */
export const featurePreviews: readonly FeaturePreview[] = [
  {
    key: unifiedLogs,
    name: 'New Logs interface',
    discussionsUrl: feedback('New Logs interface'),
    isNew: true,
    isPlatformOnly: true,
    released: { flag: 'unifiedLogsPreview' },
    fromTeam: true,
  },
  {
    key: 'supabase-ui-branching-2-0',
    name: 'Branching via dashboard',
    discussionsUrl: feedback('Branching via dashboard'),
    isNew: true,
    isPlatformOnly: true,
    released: { flag: 'branchingPreview' },
  },
  {
    key: 'supabase-ui-advisor-rules',
    name: 'Disable Advisor rules',
    isNew: true,
    isPlatformOnly: true,
    released: { flag: 'advisorRulesPreview' },
  },
  {
    key: 'new-storage-ui',
    name: 'New Storage interface',
    discussionsUrl: feedback('New Storage interface'),
    isNew: true,
    isPlatformOnly: true,
    released: { flag: 'storagePreview' },
  },
  {
    key: 'supabase-ui-preview-inline-editor',
    name: 'Directly edit database entities',
    discussionsUrl: feedback('Directly edit database entities'),
    isNew: false,
    isPlatformOnly: false,
    released: { inThisVersion: true },
  },
  {
    key: 'supabase-ui-api-side-panel',
    name: 'Project API documentation',
    discussionsUrl: feedback('Project API documentation'),
    isNew: false,
    isPlatformOnly: false,
    released: { inThisVersion: true },
  },
  {
    key: 'supabase-ui-cls',
    name: 'Column-level privileges',
    discussionsUrl: feedback('Column-level privileges'),
    isNew: false,
    isPlatformOnly: false,
    byDefault: true,
    released: { inThisVersion: true },
  },
]

type Gates = { flags: Record<string, boolean>; isPlatform: boolean }

/** Whether a preview is shown to people at all. */
export const isReleased = (
  { released, isPlatformOnly }: FeaturePreview,
  { flags, isPlatform }: Gates,
): boolean =>
  (isPlatform || !isPlatformOnly) &&
  ('flag' in released ? flags[released.flag] === true : released.inThisVersion)

/** Why an organization cannot have a preview; undefined when it can. */
export const planDenial = (preview: FeaturePreview, plan: string | undefined) =>
  preview.fromTeam && plan !== 'team' && plan !== 'enterprise'
    ? 'For organizations on Team or above'
    : undefined
