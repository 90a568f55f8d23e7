import { backups } from '#contract/projects/backups'
import { queryClient, useCall } from '../../../api/client.ts'
import { setProjectStatus } from '../../../session/project/set-project-status.ts'
import { forgetBackups } from './queries.ts'

/** Restores a project to one of its backups or to a moment; what is shown of it follows at once. */
export function useRestore(ref: string, onRestoring: () => void) {
  const onSuccess = async () => {
    setProjectStatus(ref, 'RESTORING')
    onRestoring()
    // What was read of the database is not what it will be.
    queryClient.removeQueries({
      type: 'inactive',
      predicate: ({ queryKey }) => isAbout(queryKey[1], ref),
    })
    await forgetBackups()
  }
  return {
    toBackup: useCall(backups.restore, { onSuccess }),
    toMoment: useCall(backups.pitr, { onSuccess }),
  }
}

const isAbout = (input: unknown, ref: string): boolean =>
  typeof input === 'object' && input !== null && 'ref' in input && input.ref === ref
