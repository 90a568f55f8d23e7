import { ArrowUp, Radio, ScrollText, SearchX } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { presets, type PresetId } from '../../../modules/logs/range.ts'
import { counted, numberText } from '../../../ui/text/number.ts'
import { exactTime } from '../../../ui/text/time.ts'
import { maxHeld } from './use-live.ts'

/** The same every time, so that nothing flickers. */
const lines = [62, 38, 74, 51, 45, 68, 33, 57, 70, 42, 64, 36]

export function LogsSkeleton() {
  return (
    <div className="log-skeleton" aria-busy>
      {lines.map((width) => (
        <div key={width}>
          <Skeleton width={140} />
          <Skeleton width={`${width}%`} />
        </div>
      ))}
    </div>
  )
}

type NothingProps = {
  isLive: boolean
  isNarrowed: boolean
  /** The next longer range that the plan keeps. */
  wider: PresetId | undefined
  onClear: () => void
  onWider: (range: PresetId) => void
}

export function NothingFound({ isLive, isNarrowed, wider, onClear, onWider }: NothingProps) {
  const range = presets.find(({ id }) => id === wider)
  const acts = (
    <span className="log-acts">
      {isNarrowed && <Button onClick={onClear}>Clear filters</Button>}
      {range && (
        <Button onClick={() => onWider(range.id)}>Show the {range.label.toLowerCase()}</Button>
      )}
    </span>
  )
  if (isLive)
    return (
      <EmptyState icon={Radio} title="Waiting for entries" action={acts}>
        {isNarrowed ? 'Entries that match' : 'New entries'} appear here as they are written.
      </EmptyState>
    )
  return isNarrowed ? (
    <EmptyState icon={SearchX} title="No entries found" action={acts}>
      Nothing in this time range matches the search and filters.
    </EmptyState>
  ) : (
    <EmptyState icon={ScrollText} title="No entries in this time range" action={acts}>
      Entries appear here a moment after something happens.
    </EmptyState>
  )
}

type Props = {
  count: number
  /** Why older entries could not be read. */
  error: Error | null
  hasMore: boolean
  busy: boolean
  /** The oldest entry that may be there. */
  keptSince: string | undefined
  /** Where the range begins. */
  from: number
  onMore: () => void
}

/** Below the last entry: older ones, or that there are none. */
export function LogFoot({ count, error, hasMore, busy, keptSince, from, onMore }: Props) {
  const isOldest = keptSince !== undefined && from < Date.parse(keptSince)
  return (
    <>
      {error && (
        <p className="err" role="alert">
          {error.message}
        </p>
      )}
      {hasMore ? (
        <Button busy={busy} onClick={onMore}>
          Load older
        </Button>
      ) : (
        <span>
          {isOldest
            ? `No older entries are kept: this project's logs go back to ${exactTime(new Date(keptSince))}`
            : 'No older entries in this time range'}
        </span>
      )}
      <output className="faint">{counted(count, 'entry', 'entries')} loaded</output>
    </>
  )
}

type NewEntriesProps = { count: number; onShow: () => void }

/** What came while the reader was further down. */
export function NewEntries({ count, onShow }: NewEntriesProps) {
  const words =
    count >= maxHeld
      ? `More than ${numberText(maxHeld)} new entries`
      : counted(count, 'new entry', 'new entries')
  return (
    <div className="log-new">
      <Button variant="primary" icon={ArrowUp} onClick={onShow}>
        {words}
      </Button>
    </div>
  )
}
