import { useInfiniteQuery } from '@tanstack/react-query'
import { FolderOpen } from 'lucide-react'
import { organizationProjectsQuery } from '../../session/project.ts'
import type { Command } from '../../ui/commands.ts'
import { searchedName } from './search-words.ts'

const most = 10

/** Projects of the organization, to go to. */
export function useFoundProjects(
  slug: string | undefined,
  search: string,
  goTo: (to: string) => () => void,
): Command[] {
  const { data } = useInfiniteQuery({
    ...organizationProjectsQuery(slug ?? '', searchedName(search)),
    enabled: slug !== undefined,
  })
  const projects = data?.pages[0]?.projects.slice(0, most) ?? []
  return projects.map(({ ref, name }) => ({
    id: `project.${ref}`,
    section: 'Projects',
    name: `Switch to ${name}`,
    icon: FolderOpen,
    run: goTo(`/project/${ref}`),
  }))
}
