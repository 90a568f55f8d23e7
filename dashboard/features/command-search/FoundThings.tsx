import { useDeferredValue } from 'react'
import type { Where } from '../../session/where.ts'
import { useCommands } from '../../ui/commands.ts'
import { useFoundInProject } from './use-found-in-project.ts'
import { useFoundProjects } from './use-found-projects.ts'

type Props = { where: Where; typed: string; goTo: (to: string) => () => void }

/** What people have made, found by the servers while somebody types in the command menu. Mounted while that is open. */
export function FoundThings({ where: { slug, ref }, typed, goTo }: Props) {
  const search = useDeferredValue(typed.trim())
  useCommands([...useFoundProjects(slug, search, goTo), ...useFoundInProject(ref, search, goTo)])
  return null
}
