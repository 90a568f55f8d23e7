import { forwardRef, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { messageOf } from '../../api/client.ts'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { TextBox, TextBoxOptions } from './text-box.ts'

/** Loads the code editor; also ahead of time, for a page that will need it. */
export const loadTextBox = () => import('./text-box.ts')

/** The code editor of one text, loaded when it is first on the screen. The text lives in the editor. */
export const GraphqlText = forwardRef<TextBox | undefined, TextBoxOptions>(
  function GraphqlText(options, ref) {
    const element = useRef<HTMLDivElement>(null)
    const [box, setBox] = useState<TextBox>()
    const [failure, setFailure] = useState<Error>()
    const [attempt, setAttempt] = useState(0)
    // The editor lives longer than one render: it always calls the newest handlers.
    const latest = useRef(options)
    useEffect(() => {
      latest.current = options
    })
    useEffect(() => {
      let gone = false
      let made: TextBox | undefined
      loadTextBox().then(
        ({ createTextBox }) => {
          if (gone || !element.current) return
          const { onText, onRun, schema, ...first } = latest.current
          made = createTextBox(element.current, {
            ...first,
            ...(onText ? { onText: (text) => latest.current.onText?.(text) } : {}),
            ...(onRun ? { onRun: () => latest.current.onRun?.() } : {}),
            ...(schema ? { schema: () => latest.current.schema?.() } : {}),
          })
          setBox(made)
        },
        (error: unknown) => {
          if (!gone) setFailure(new Error(messageOf(error)))
        },
      )
      return () => {
        gone = true
        made?.dispose()
        setBox(undefined)
      }
    }, [attempt])
    useImperativeHandle(ref, () => box, [box])
    return (
      <div className="gq-text">
        <div ref={element} className="gq-text-box" />
        {!box && !failure && (
          <div className="gq-wait" aria-busy aria-label="Loading the editor">
            <Skeleton width={180} />
          </div>
        )}
        {failure && (
          <ErrorNote
            what="the editor"
            error={failure}
            onRetry={() => {
              setFailure(undefined)
              setAttempt(attempt + 1)
            }}
          />
        )}
      </div>
    )
  },
)
