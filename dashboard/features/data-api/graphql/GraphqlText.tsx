import { forwardRef, useCallback, useEffect, useImperativeHandle, useRef } from 'react'
import { useCodeBox } from '../../../ui/code/use-code-box.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import type { TextBox, TextBoxOptions } from './text-box.ts'

/** Loads the code editor; also ahead of time, for a page that will need it. */
export const loadTextBox = () => import('./text-box.ts')

/** The code editor of one text, loaded when it is first on the screen. The text lives in the editor. */
export const GraphqlText = forwardRef<TextBox | undefined, TextBoxOptions>(
  function GraphqlText(options, ref) {
    // The editor lives longer than one render: it always calls the newest handlers.
    const latest = useRef(options)
    useEffect(() => {
      latest.current = options
    })
    const load = useCallback(async () => {
      const { createTextBox } = await loadTextBox()
      return (place: HTMLElement) => {
        const { onText, onRun, schema, ...first } = latest.current
        return createTextBox(place, {
          ...first,
          ...(onText ? { onText: (text) => latest.current.onText?.(text) } : {}),
          ...(onRun ? { onRun: () => latest.current.onRun?.() } : {}),
          ...(schema ? { schema: () => latest.current.schema?.() } : {}),
        })
      }
    }, [])
    const { element, box, failure, retry } = useCodeBox(load)
    useImperativeHandle(ref, () => box, [box])
    return (
      <div className="gq-text">
        <div ref={element} className="gq-text-box" />
        {!box && !failure && (
          <div className="gq-wait" aria-busy>
            <progress className="sr" aria-label="Loading the editor" />
            <Skeleton width={180} />
          </div>
        )}
        {failure && <ErrorNote what="the editor" error={failure} onRetry={retry} />}
      </div>
    )
  },
)
