import { useDeferredValue } from 'react'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import type { Where } from '../../../session/project/where.ts'
import { useCommands } from '../../../ui/floats/commands.ts'
import { useFoundInProject } from './use-found-in-project.ts'
import { useFoundProjects } from './use-found-projects.ts'

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
