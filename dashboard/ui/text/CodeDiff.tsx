import { useCallback } from 'react'
import type { DiffOptions } from '../code/diff-box.ts'
import { useCodeBox } from '../code/use-code-box.ts'
import { ErrorNote } from '../ErrorNote.tsx'
import { Skeleton } from '../Skeleton.tsx'
import '../code/code-field.css'

/** How one text differs from another. */
export function CodeDiff({ before, after, label, language = 'typescript' }: DiffOptions) {
  const load = useCallback(async () => {
    const { createDiffBox } = await import('../code/diff-box.ts')
    return (place: HTMLElement) => createDiffBox(place, { before, after, label, language })
  }, [before, after, label, language])
  const { element, box, failure, retry } = useCodeBox(load)
  if (failure) return <ErrorNote what="the comparison" error={failure} onRetry={retry} />
  return (
    <div className="code-diff">
      <div ref={element} className="code-diff-box" />
      {!box && (
        <div className="code-field-wait" aria-busy>
          <progress className="sr" aria-label="Loading the comparison" />
          <Skeleton width="60%" />
        </div>
      )}
    </div>
  )
}
