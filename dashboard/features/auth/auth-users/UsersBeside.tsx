import { type ReactNode, useEffect, useRef } from 'react'
import { neighboursOf, stepOf } from './neighbours.ts'

type Props = {
  /** The users of the list's page, in its order. */
  page: readonly string[]
  /** Whose panel is open. */
  open: string | undefined
  onOpen: (id: string | undefined) => void
  list: ReactNode
  panel: ReactNode
}

/** The list and the panel of one user beside it, with the keys that go from one to the next. */
export function UsersBeside({ page, open, onOpen, list, panel }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef({ page, open, onOpen })
  useEffect(() => {
    latest.current = { page, open, onOpen }
  })
  useEffect(() => {
    const buttonOf = (id: string) =>
      box.current?.querySelector<HTMLElement>(`[data-user="${CSS.escape(id)}"]`)

    function press(event: KeyboardEvent) {
      const { target } = event
      if (event.defaultPrevented || !(target instanceof HTMLElement)) return
      // What had the focus can go with the user it was about: then the page itself has it. A dialog has its own keys.
      if (target !== document.body && !box.current?.contains(target)) return
      const { page, open, onOpen } = latest.current
      const inList = target.closest<HTMLElement>('[data-user]')?.dataset['user']
      const step = stepOf(event, inList !== undefined)
      if (step === 'close') {
        if (open === undefined) return
        onOpen(undefined)
        // Whose panel it was: the focus may have been in it.
        buttonOf(open)?.focus()
        return
      }
      const from = inList ?? open
      const to = step && from !== undefined ? neighboursOf(page, from)[step] : undefined
      if (to === undefined) return
      event.preventDefault()
      if (inList !== undefined) buttonOf(to)?.focus()
      if (open !== undefined) onOpen(to)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <div className="users-beside" ref={box}>
      {list}
      {panel}
    </div>
  )
}
