import { ago, exactTime } from './time.ts'
import { useNow } from './use-now.ts'

/** When something happened, in a sentence: "12 days ago", "yesterday", "on 18 Nov 2025". */
export function Ago({ at }: { at: string }) {
  const date = new Date(at)
  const now = useNow()
  return (
    <time dateTime={at} title={exactTime(date)}>
      {inSentence(ago(date, now))}
    </time>
  )
}

const inSentence = (text: string): string => {
  if (text === 'now') return 'just now'
  if (/^\d+ (?:min|h|days)$/.test(text)) return `${text} ago`
  return /^\d/.test(text) ? `on ${text}` : text
}
