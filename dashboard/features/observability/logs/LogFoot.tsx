import { ArrowUp } from 'lucide-react'
import { Button } from '../../../ui/controls/Button.tsx'
import { counted, numberText } from '../../../ui/text/number.ts'
import { exactTime } from '../../../ui/text/time.ts'
import { maxHeld } from './use-live.ts'

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
