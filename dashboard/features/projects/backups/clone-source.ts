import type { Backup } from '#contract/projects/backups'
import { choiceAt, readMoment, type MomentChoice, type Span } from './moment.ts'
import { ownZone } from './zone-time.ts'

/** What a new project is to begin with: a backup, or what there was at a moment. */
export type SourceChoice = {
  from: 'backup' | 'moment'
  backup: number | undefined
  moment: MomentChoice
}

/** The newest backup, unless another was asked for; without one, the latest moment. */
export function startSource(
  backups: readonly Backup[],
  spans: readonly Span[],
  start: number | undefined,
): SourceChoice {
  const latest = spans.at(-1)?.to
  return {
    from: backups.length > 0 ? 'backup' : 'moment',
    backup: start ?? backups[0]?.id,
    moment: choiceAt((latest ?? 0) * 1000, ownZone()),
  }
}

type Source = {
  /** As the endpoint takes it; undefined where there is a problem. */
  point: { cloneBackupId: number } | { recoveryTimeTarget: number } | undefined
  problem: string | undefined
}

export function sourceOf(choice: SourceChoice, spans: readonly Span[]): Source {
  if (choice.from === 'backup')
    return choice.backup === undefined
      ? { point: undefined, problem: 'Choose a backup' }
      : { point: { cloneBackupId: choice.backup }, problem: undefined }
  const { unix, problem } = readMoment(choice.moment, spans)
  return { point: unix === undefined ? undefined : { recoveryTimeTarget: unix }, problem }
}
