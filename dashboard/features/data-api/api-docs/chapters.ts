import { useDisabledFeatures } from '../../../session/identity/profile.ts'

type Chapter = { name: string; to: string }

const chapters: Chapter[] = [
  { name: 'Introduction', to: 'introduction' },
  { name: 'Authentication', to: 'authentication' },
  { name: 'User management', to: 'users' },
  { name: 'TypeScript types', to: 'types' },
]

/** What there is to read besides tables and functions. */
export function useChapters(): Chapter[] {
  const off = useDisabledFeatures()
  return chapters.filter(({ to }) => to !== 'users' || !off('sdk:auth'))
}
