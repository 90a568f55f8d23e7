/** What there is to read besides tables and functions. */
export const chapters: { name: string; to: string }[] = [
  { name: 'Introduction', to: 'introduction' },
  { name: 'Authentication', to: 'authentication' },
  { name: 'User management', to: 'users' },
  { name: 'TypeScript types', to: 'types' },
]
