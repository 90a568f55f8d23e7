import { useEffect, useRef, useState } from 'react'

/** Loads what a code editor is made of, and says how it is made in its place. */
export type LoadBox<Box> = () => Promise<(element: HTMLElement) => Box>

/**
 * A code editor that is loaded when it is first on the screen, and goes with it. Another `load` makes another editor, so
 * keep it with `useCallback`; what changes while the editor lives is reached through a ref.
 */
export function useCodeBox<Box extends { dispose: () => void }>(load: LoadBox<Box>) {
  const element = useRef<HTMLDivElement>(null)
  const [box, setBox] = useState<Box>()
  const [failure, setFailure] = useState<Error>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let gone = false
    let made: Box | undefined
    load().then(
      (make) => {
        if (gone || !element.current) return
        made = make(element.current)
        setBox(made)
      },
      (error: unknown) => {
        if (!gone) setFailure(error instanceof Error ? error : new Error(String(error)))
      },
    )
    return () => {
      gone = true
      made?.dispose()
      setBox(undefined)
    }
  }, [load, attempt])
  return {
    element,
    box,
    /** Why it could not be loaded, as without a network. */
    failure,
    retry: () => {
      setFailure(undefined)
      setAttempt(attempt + 1)
    },
  }
}
