import { lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { useFloatingTrigger } from './use-floating.ts'

const load = () => import('./MenuBox.tsx')
const MenuBox = lazy(() => load().then((m) => ({ default: m.MenuBox })))

type Props = {
  /** The button that opens it. */
  trigger: ReactElement<Record<string, unknown>>
  align?: 'start' | 'end'
  /** What the menu is about, for screen readers. */
  label: string
  children: ReactNode
}

/** A menu below a button. Fill it with MenuItem, MenuChoice, MenuLabel and MenuSeparator. */
export function Menu({ trigger, ...box }: Props) {
  const [open, setOpen] = useState(false)
  const { anchor, button } = useFloatingTrigger({
    trigger,
    kind: 'menu',
    open,
    setOpen,
    preload: load,
  })
  return (
    <>
      {button}
      <Suspense>
        {open && <MenuBox {...box} anchor={anchor} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}

type MenuAtProps = {
  /** Pixels of the window. */
  place: { x: number; y: number; width: number; height: number }
  onClose: () => void
  label: string
  children: ReactNode
}

/** A menu where somebody has pointed; for what is drawn and has no button of its own. */
export function MenuAt({ place, ...box }: MenuAtProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [back] = useState(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement : null,
  )
  const { x: left, y: top, width, height } = place
  return (
    <>
      <span
        aria-hidden
        ref={setAnchor}
        className="menu-anchor"
        style={{ left, top, width, height }}
      />
      <Suspense>{anchor && <MenuBox {...box} anchor={anchor} back={back} />}</Suspense>
    </>
  )
}
