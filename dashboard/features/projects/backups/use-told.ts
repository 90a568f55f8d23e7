import { useEffect, useRef } from 'react'
import type { Backup } from '#contract/projects/backups'
import { toast } from '../../../ui/floats/toast.ts'
import { basisText } from './words.ts'

/** Says when a backup that was being made is through. */
export function useTold(backups: readonly Backup[]): void {
  const pending = useRef<ReadonlySet<number>>(new Set())
  useEffect(() => {
    for (const backup of backups) {
      if (!pending.current.has(backup.id)) continue
      const description = basisText(backup)
      if (backup.status === 'COMPLETED') toast.success('Backup completed', { description })
      if (backup.status === 'FAILED') toast.error('The backup failed', { description })
    }
    pending.current = new Set(
      backups.filter(({ status }) => status === 'PENDING').map(({ id }) => id),
    )
  }, [backups])
}
