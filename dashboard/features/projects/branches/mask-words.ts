import type { MaskKind } from '#contract/projects/branch-masks'

/** How the values that stand in the place of others are called, in the order in which they are offered. */
export const maskWords: Record<MaskKind, { name: string; about: string }> = {
  hash: {
    name: 'Hash',
    about: 'Equal values stay equal within a branch. Nobody can work out what they were.',
  },
  fake_email: { name: 'Made-up email', about: 'Such as user-42@example.com, one for each row.' },
  fixed: { name: 'Fixed text', about: 'The same text in all rows.' },
  empty: { name: 'Empty text', about: 'An empty text in all rows.' },
  null: { name: 'Null', about: 'No value. For columns of any type that may be null.' },
}
