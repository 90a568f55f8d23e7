import { ApiError } from '#kit/errors'
import type { Keeping } from './compute.ts'
import { tierDays } from './retention.ts'
import type { BackupStore, Subject } from './store.ts'

/** The project that a call is about, and whether it can have backups. */
export const createSubjects = (store: BackupStore, keeping: Keeping | undefined) => {
  async function subjectOf(ref: string): Promise<Subject> {
    const subject = await store.subject(ref)
    if (!subject) throw new ApiError('project_not_found')
    return subject
  }
  return {
    subjectOf,

    /** For what is ordered: the installation can do it and the plan includes it. */
    async served(ref: string): Promise<{ subject: Subject; keeping: Keeping }> {
      const subject = await subjectOf(ref)
      if (!keeping) {
        throw new ApiError(
          'platform_only',
          "This project's database is managed by its operator, who is responsible for backups",
        )
      }
      if (tierDays(subject.tier) === 0) {
        throw new ApiError('plan_limit', 'The Free plan does not include backups')
      }
      return { subject, keeping }
    },
  }
}
export type Subjects = ReturnType<typeof createSubjects>
