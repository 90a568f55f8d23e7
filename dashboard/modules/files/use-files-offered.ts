import { storage } from '#contract/storage/storage'
import { useDenials } from '../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../session/identity/profile.ts'
import { useProject } from '../../session/project/project.ts'

/** Whether this person can look for files in the project's storage. */
export function useFilesOffered(ref: string): boolean {
  const off = useDisabledFeatures()
  const why = useDenials(useProject(ref))
  return !off('project_storage:all') && why(storage.list) === undefined
}
