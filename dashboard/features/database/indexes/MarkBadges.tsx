import { Badge } from '../../../ui/text/Badge.tsx'
import type { IndexMark } from './index-marks.ts'

/** What is wrong with an index, in a word each, with the sentence on hover. */
export function MarkBadges({ marks }: { marks: readonly IndexMark[] }) {
  return (
    <span className="badges">
      {marks.map((mark) => (
        <span key={mark.kind} title={sentenceOf(mark)}>
          <Badge tone={mark.kind === 'invalid' ? 'danger' : 'warning'}>{wordOf(mark)}</Badge>
        </span>
      ))}
    </span>
  )
}

function wordOf({ kind }: IndexMark): string {
  switch (kind) {
    case 'invalid':
      return 'Invalid'
    case 'unused':
      return 'Unused'
    case 'duplicate':
      return 'Duplicate'
    case 'covered':
      return 'Covered'
  }
}

export function sentenceOf(mark: IndexMark): string {
  switch (mark.kind) {
    case 'invalid':
      return 'Its build did not finish, so no query uses it. Rebuild it, or drop it.'
    case 'unused':
      return 'No query has used it since the statistics were last reset.'
    case 'duplicate':
      return `${mark.of} has the same definition.`
    case 'covered':
      return `${mark.by} begins with the same columns and serves the same queries.`
  }
}
