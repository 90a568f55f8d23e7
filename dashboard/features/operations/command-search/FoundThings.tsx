import { useDeferredValue } from 'react'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import type { Where } from '../../../session/project/where.ts'
import { useCommands, type Command } from '../../../ui/floats/commands.ts'
import { useFoundInProject } from './use-found-in-project.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { FolderOpen } from 'lucide-react'
import { allProjectsQuery } from '../../../session/project/project-lists.ts'
import { searchedName } from './search-words.ts'

const max = 10

/** Projects to go to, of all organizations: those of the one that is open come first. */
function useFoundProjects(
  slug: string | undefined,
  search: string,
  goTo: (to: string) => () => void,
): Command[] {
  const { data } = useInfiniteQuery(allProjectsQuery(searchedName(search)))
  const all = data?.pages[0]?.projects ?? []
  const [here, elsewhere] = [true, false].map((requested) =>
    all.filter(({ organization_slug: of }) => (of === slug) === requested),
  )
  return [...(here ?? []), ...(elsewhere ?? [])]
    .slice(0, max)
    .map(({ ref, name, organization_slug: of }) => ({
      id: `project.${ref}`,
      section: 'Projects',
      name: `Switch to ${name}`,
      icon: FolderOpen,
      ...(of === slug ? {} : { hint: of }),
      run: goTo(`/project/${ref}`),
    }))
}

type Props = { where: Where; typed: string; goTo: (to: string) => () => void }

/** What people have made, found by the servers while somebody types in the command menu. Mounted while that is open. */
export function FoundThings({ where: { slug, ref }, typed, goTo }: Props) {
  const search = useDeferredValue(typed.trim())
  const off = useDisabledFeatures()
  const inProject = off('search:fullIndex') ? undefined : ref
  useCommands([
    ...useFoundProjects(slug, search, goTo),
    ...useFoundInProject(inProject, search, goTo),
  ])
  return null
}
